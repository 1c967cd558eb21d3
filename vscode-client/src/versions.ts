/** Versions of Python and of the server: numbers between dots; what follows the numbers is not compared. */

/** The oldest Python that the bundled server runs on. */
export const OLDEST_PYTHON = '3.10';

/** The oldest server that this extension works with. */
export const OLDEST_SERVER = '0.1.0';

/** Whether a version is older than another; false if it has no number at all. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [numbers(version), numbers(than)];
  if (left.length === 0) {
    return false;
  }
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}

function numbers(version: string): number[] {
  return (/^\d+(\.\d+)*/.exec(version)?.[0].split('.') ?? []).map(Number);
}
