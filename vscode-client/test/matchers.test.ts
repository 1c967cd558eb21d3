import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };

interface Pattern {
  readonly regexp: string;
  readonly file?: number;
  readonly line?: number;
}

/** File and line that a problem matcher finds in consecutive lines of output; undefined if it finds none. */
function place(name: string, ...lines: string[]): string | undefined {
  const matcher = manifest.contributes.problemMatchers.find((each) => each.name === name);
  const patterns = [matcher?.pattern ?? []].flat() as Pattern[];
  const last = patterns.at(-1);
  const found = patterns.map((pattern, index) => new RegExp(pattern.regexp).exec(lines[index] ?? ''));
  const match = found.every(Boolean) ? found.at(-1) : undefined;
  return match && last?.file && last.line ? `${match[last.file]}:${match[last.line]}` : undefined;
}

test('JAX names the kernel that should return None', () => {
  for (const prefix of ['ValueError: ', 'E       ValueError: ']) {
    for (const entry of ['the pallas_call add_kernel', 'core_map body', 'mpmd_map kernel']) {
      const message = `The kernel function in ${entry} at /work/my kernels.py:5 should return None. It returns a PyTree: *`;
      assert.equal(place('pallas', prefix + message), '/work/my kernels.py:5');
    }
  }
});

test('JAX names the kernel that captures constants, and the index map that gives too little', () => {
  const captures =
    'ValueError: The kernel function in the pallas_call k at k.py:7 captures constants [f32[8]]. You should';
  assert.equal(place('pallas', captures), 'k.py:7');
  const index =
    'ValueError: Index map function <lambda> at /a/b.py:12 for x_ref must return 2 values to match block_shape';
  assert.equal(place('pallas', index), '/a/b.py:12');
});

test('JAX says in a second line which kernel was traced', () => {
  const first = 'jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].';
  const second =
    'The error occurred while tracing the function k at /a/k.py:9 for pallas_call. This concrete value was';
  assert.equal(place('pallas-tracing', first, second), '/a/k.py:9');
});

test('other output is no problem', () => {
  assert.equal(place('pallas', 'ValueError: not at all'), undefined);
  assert.equal(place('pallas', '  File "/a/b.py", line 3, in add'), undefined);
  assert.equal(place('pallas-tracing', 'ValueError: one', 'ValueError: two'), undefined);
});
