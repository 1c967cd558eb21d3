import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fixableFiles, ruleItems } from '../src/reports.ts';
import { titles } from '../src/titles.ts';
import { isOlder } from '../src/versions.ts';

test('versions are compared by their numbers', () => {
  assert.ok(isOlder('3.9', '3.10') && isOlder('0.1.0', '0.2') && isOlder('0.9.9rc1', '1'));
  assert.ok(!isOlder('3.10', '3.10') && !isOlder('3.10', '3.10.0') && !isOlder('1.0.dev1', '0.9'));
  assert.ok(!isOlder('', '0.1.0') && !isOlder('unknown', '0.1.0'));
});

suite('the status item', () => {
  test('says the number of kernels, the version, and where the server is from', () => {
    const server = { origin: 'bundled', command: 'python3', arguments: [] } as const;
    assert.deepEqual(titles('running', '0.1.0', 3, server), {
      text: 'Pallas: 3 kernels',
      detail: 'pallas-lsp 0.1.0 (bundled)',
    });
    assert.equal(titles('running', '0.1.0', 1, server).text, 'Pallas: 1 kernel');
    assert.equal(titles('running', '0.1.0', 0, server).text, 'Pallas: 0 kernels');
    assert.equal(titles('running', '0.1.0', undefined, server).text, 'Pallas: running');
  });

  test('says the state while the server does not run', () => {
    assert.equal(titles('starting', '', 3, undefined).text, 'Pallas: starting');
    assert.equal(titles('stopped', '', 3, undefined).text, 'Pallas: stopped');
  });
});

test('files to fix are those with a fix, each once, and no notebooks', () => {
  const found = (filename: string, applicability: string | null, cell: number | null = null) => ({
    filename,
    cell,
    fix: applicability && { applicability },
  });
  const report = [
    found('a.py', 'safe'),
    found('a.py', 'safe'),
    found('b.py', 'unsafe'),
    found('c.py', null),
    found('d.ipynb', 'safe', 1),
  ];
  assert.deepEqual(fixableFiles(JSON.stringify(report)), ['a.py', 'b.py']);
});

test('the rules of the findings at the cursor come first', () => {
  const rules = ['PAL001', 'PAL002', 'PAL003'].map((code) => ({ code, name: 'name', summary: 'summary' }));
  assert.deepEqual(
    ruleItems(rules, ['PAL003']).map((item) => item.code),
    ['PAL003', 'PAL001', 'PAL002'],
  );
});
