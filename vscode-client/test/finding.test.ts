import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { suite, test } from 'node:test';
import { findServer, type Wishes } from '../src/finding.ts';
import { type Machine, thisMachine } from '../src/machine.ts';

/** A machine with these programs; the version of an interpreter, or an empty one for another program. */
function machine(programs: Record<string, string>, folders: string[], links: Record<string, string> = {}): Machine {
  return {
    windows: false,
    folders,
    isFile: (file) => file in programs,
    realPath: (file) => links[file] ?? file,
    pythonVersion: async (interpreter) => programs[interpreter] || undefined,
  };
}

const WISHES: Wishes = {
  path: '',
  importStrategy: 'fromEnvironment',
  interpreters: [],
  trusted: true,
  folders: ['/work'],
  bundled: '/extension/run.py',
};
const MACHINE = machine(
  {
    '/configured/pallas-lsp': '',
    '/work/.venv/bin/python': '3.12',
    '/work/.venv/bin/pallas-lsp': '',
    '/usr/bin/pallas-lsp': '',
    '/usr/bin/python3': '3.11',
  },
  ['/usr/bin'],
);
const BUNDLED = { origin: 'bundled', command: '/usr/bin/python3', arguments: ['-I', '-S', '/extension/run.py'] };

suite('the server that is started', () => {
  test('is the configured one, whatever else there is', async () => {
    const server = await findServer({ ...WISHES, path: '/configured/pallas-lsp' }, MACHINE);
    assert.deepEqual(server, { origin: 'setting', command: '/configured/pallas-lsp', arguments: [] });
  });

  test('is no other one if the configured one is missing', async () => {
    const server = await findServer({ ...WISHES, path: '/missing' }, MACHINE);
    assert.deepEqual(server, { kind: 'no such file', path: '/missing' });
  });

  test('is that of the selected environment', async () => {
    const server = await findServer({ ...WISHES, interpreters: ['/work/.venv/bin/python'] }, MACHINE);
    assert.deepEqual(server, { origin: 'environment', command: '/work/.venv/bin/pallas-lsp', arguments: [] });
  });

  test('is that of the configured interpreter before that of the selected one', async () => {
    const interpreters = ['/usr/bin/python3', '/work/.venv/bin/python'];
    const server = await findServer({ ...WISHES, interpreters }, MACHINE);
    assert.deepEqual(server, { origin: 'environment', command: '/usr/bin/pallas-lsp', arguments: [] });
  });

  test('is the one on PATH if no environment has one', async () => {
    const server = await findServer(WISHES, MACHINE);
    assert.deepEqual(server, { origin: 'PATH', command: '/usr/bin/pallas-lsp', arguments: [] });
  });

  test('is the bundled one if none is installed', async () => {
    const server = await findServer(WISHES, machine({ '/usr/bin/python3': '3.10' }, ['/usr/bin']));
    assert.deepEqual(server, BUNDLED);
  });

  test('is the bundled one if the user wants it', async () => {
    const server = await findServer({ ...WISHES, importStrategy: 'useBundled' }, MACHINE);
    assert.deepEqual(server, BUNDLED);
  });

  test('is run by the first Python that is new enough', async () => {
    const programs = { '/a/python3': '3.9', '/a/python': '', '/a/python3.12': '3.12', '/a/python3.10': '3.10' };
    const server = await findServer(WISHES, machine(programs, ['/a']));
    assert.equal('command' in server && server.command, '/a/python3.12');
  });

  test('is none without a Python that is new enough, and those that are too old are named', async () => {
    assert.deepEqual(await findServer(WISHES, machine({}, ['/usr/bin'])), { kind: 'no Python', tooOld: [] });
    assert.deepEqual(await findServer(WISHES, machine({ '/usr/bin/python3': '3.9' }, ['/usr/bin'])), {
      kind: 'no Python',
      tooOld: ['/usr/bin/python3 (3.9)'],
    });
  });
});

suite('an untrusted workspace', () => {
  const untrusted = { ...WISHES, trusted: false };

  test('gets the bundled server, though others are installed', async () => {
    assert.deepEqual(await findServer(untrusted, MACHINE), BUNDLED);
  });

  test('gets a configured server that lies elsewhere', async () => {
    const server = await findServer({ ...untrusted, path: '/configured/pallas-lsp' }, MACHINE);
    assert.equal('origin' in server && server.origin, 'setting');
  });

  test('has nothing of its own run: no configured server', async () => {
    const server = await findServer({ ...untrusted, path: '/work/.venv/bin/pallas-lsp' }, MACHINE);
    assert.deepEqual(server, { kind: 'in an untrusted workspace', path: '/work/.venv/bin/pallas-lsp' });
  });

  test('has nothing of its own run: no interpreter that is named, on PATH, or reached by a link', async () => {
    const programs = { '/work/bin/python3': '3.12', '/links/python3': '3.12', '/work/link/python3': '3.12' };
    const links = { '/links/python3': '/work/bin/python3', '/work/link/python3': '/opt/python3' };
    const busy = machine(programs, ['/work/bin', 'bin', '.', '', '/links', '/work/link'], links);
    const server = await findServer({ ...untrusted, interpreters: ['/work/bin/python3'] }, busy);
    assert.deepEqual(server, { kind: 'no Python', tooOld: [] });
  });

  test('is not a folder whose name begins alike', async () => {
    const server = await findServer(untrusted, machine({ '/workshop/python3': '3.12' }, ['/workshop']));
    assert.equal('command' in server && server.command, '/workshop/python3');
  });
});

test('a relative folder of PATH is never looked into', async () => {
  const server = await findServer(WISHES, machine({ 'bin/pallas-lsp': '', './pallas-lsp': '' }, ['bin', '.', '']));
  assert.deepEqual(server, { kind: 'no Python', tooOld: [] });
});

suite('this machine', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pallas-'));

  test('knows files from folders, and follows links', () => {
    mkdirSync(path.join(folder, 'sub'));
    writeFileSync(path.join(folder, 'file'), '');
    symlinkSync(path.join(folder, 'file'), path.join(folder, 'link'));
    const found = ['file', 'link', 'sub', 'missing'].map((name) => thisMachine.isFile(path.join(folder, name)));
    assert.deepEqual(found, [true, true, false, false]);
    assert.equal(thisMachine.realPath(path.join(folder, 'link')), thisMachine.realPath(path.join(folder, 'file')));
    assert.equal(thisMachine.realPath('/missing'), '/missing');
  });

  test('asks an interpreter for its version, and a program that is none gives none', async () => {
    const fake = path.join(folder, 'python3');
    writeFileSync(fake, '#!/bin/sh\necho 3.13\n', { mode: 0o755 });
    assert.equal(await thisMachine.pythonVersion(fake), '3.13');
    assert.equal(await thisMachine.pythonVersion(path.join(folder, 'file')), undefined);
  });
});
