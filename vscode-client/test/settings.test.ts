import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };
import { type Configuration, expanded, serverKeys, writtenSettings } from '../src/settings.ts';

function configuration(written: Record<string, Record<string, unknown>>): Configuration {
  return {
    get: (key) => Object.values(written[key] ?? {}).at(-1),
    inspect: (key) => written[key],
  };
}

suite('what the server is told', () => {
  test('are the settings that are written, not those that have their default', () => {
    const settings = configuration({
      select: { defaultValue: [], globalValue: ['PAL0'] },
      unsafeFixes: { defaultValue: false, workspaceFolderValue: true },
      ignore: { defaultValue: [] },
    });
    const told = writtenSettings(settings, ['select', 'unsafeFixes', 'ignore', 'exclude'], {});
    assert.deepEqual(told, { select: ['PAL0'], unsafeFixes: true });
  });

  test('is a setting that is written as its default as well: it may differ from the project file', () => {
    const settings = configuration({ unsafeFixes: { defaultValue: false, globalValue: false } });
    assert.deepEqual(writtenSettings(settings, ['unsafeFixes'], {}), { unsafeFixes: false });
  });

  test('has groups as objects', () => {
    const settings = configuration({
      'inlayHints.roles': { defaultValue: true, globalValue: false },
      'inlayHints.shapes': { defaultValue: true, workspaceValue: true },
      'codeLens.launches': { defaultValue: true },
    });
    const told = writtenSettings(settings, ['inlayHints.roles', 'inlayHints.shapes', 'codeLens.launches'], {});
    assert.deepEqual(told, { inlayHints: { roles: false, shapes: true } });
  });

  test('has the variables of paths replaced', () => {
    const variables = { workspaceFolder: '/work', userHome: '/home/me' };
    assert.equal(expanded('${workspaceFolder}/env', variables), '/work/env');
    assert.deepEqual(expanded(['${userHome}/a', '${env:X}', 1], variables), ['/home/me/a', '${env:X}', 1]);
  });
});

test('the keys of the server are those of two groups, and none of the extension itself', () => {
  const keys = serverKeys(manifest);
  assert.ok(keys.includes('select') && keys.includes('targetJax') && keys.includes('inlayHints.roles'));
  assert.ok(!keys.includes('path') && !keys.includes('trace.server'));
});
