import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { suite, test } from 'node:test';
import { answerOf, runWithInput } from '../src/explaining.ts';

/** A program that prints its folder and its input in capitals, complains, and ends with 3. */
const ECHO = [
  process.execPath,
  '-e',
  `let all = ''; process.stdin.setEncoding('utf8'); process.stdin.on('data', (part) => { all += part; });
   process.stdin.on('end', () => {
     process.stdout.write(all.toUpperCase() + process.cwd()); process.stderr.write('no'); process.exitCode = 3; });`,
];

suite('a program that reads', () => {
  test('gets the whole input and runs in the folder', async () => {
    const finished = await runWithInput(ECHO, 'é\n'.repeat(100_000), tmpdir());
    assert.ok(finished.output === `${'É\n'.repeat(100_000)}${tmpdir()}`);
    assert.equal(finished.complaints, 'no');
    assert.equal(finished.code, 3);
  });

  test('may end without reading', async () => {
    const quiet = [process.execPath, '-e', 'process.exit(0)'];
    const finished = await runWithInput(quiet, 'x'.repeat(1_000_000), undefined);
    assert.deepEqual(finished, { code: 0, output: '', complaints: '' });
  });

  test('that is missing says so', async () => {
    const finished = await runWithInput(['/missing/pallas-lsp'], '', undefined);
    assert.equal(finished.code, undefined);
    assert.match(finished.complaints, /ENOENT/);
    assert.match((await runWithInput([], '', undefined)).complaints, /no server/);
  });
});

suite('the answer', () => {
  test('is a document if the error is explained', () => {
    assert.deepEqual(answerOf({ code: 0, output: 'PAL001\n', complaints: '' }), {
      kind: 'document',
      content: 'PAL001\n',
    });
  });

  test('is a message if no rule knows the error', () => {
    const output = 'No rule knows this error: KeyError: 3\n';
    assert.deepEqual(answerOf({ code: 1, output, complaints: '' }), {
      kind: 'message',
      text: 'No rule knows this error: KeyError: 3',
    });
  });

  test('is what the command line complains of otherwise', () => {
    for (const code of [2, undefined]) {
      const complaints = 'pallas-lsp: error: there is no traceback in it\n';
      assert.deepEqual(answerOf({ code, output: '', complaints }), {
        kind: 'message',
        text: 'there is no traceback in it',
      });
    }
  });
});
