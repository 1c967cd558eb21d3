/** Which server is started: a search with no side effect but running interpreters for their version. */

import * as path from 'node:path';
import type { Machine } from './machine.ts';
import { isOlder, OLDEST_PYTHON } from './versions.ts';

/** Where a server comes from; `found` shows it to the user. */
export type Origin = 'setting' | 'environment' | 'PATH' | 'bundled';

/** A command line that starts with a program. */
export interface Server {
  readonly origin: Origin;
  readonly command: string;
  /** Arguments that come before those of pallas-lsp. */
  readonly arguments: readonly string[];
}

/** Why there is no server. */
export type Obstacle =
  | { readonly kind: 'no such file'; readonly path: string }
  | { readonly kind: 'in an untrusted workspace'; readonly path: string }
  | { readonly kind: 'no Python'; readonly tooOld: readonly string[] };

/** What decides which server is started. */
export interface Wishes {
  /** The setting `pallas-lsp.path`; empty if not set. */
  readonly path: string;
  /** The setting `pallas-lsp.importStrategy`. */
  readonly importStrategy: 'fromEnvironment' | 'useBundled';
  /** Interpreters, best first: that of the setting `pallas-lsp.interpreter`, and the one selected in the editor. */
  readonly interpreters: readonly string[];
  /** Whether the user trusts the workspace. If not, nothing that lies in it is run. */
  readonly trusted: boolean;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The program that starts the bundled server. */
  readonly bundled: string;
}

const PYTHON_NAMES = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];

/**
 * Finds the server: the configured path, else the one that is installed beside an interpreter of the wishes, else the
 * one on PATH, else the bundled one with the first Python that is new enough. An untrusted workspace gets the bundled
 * one, or a configured path that is not in the workspace.
 */
export async function findServer(wishes: Wishes, machine: Machine): Promise<Server | Obstacle> {
  const mayRun = (file: string) => wishes.trusted || !isInside(file, wishes.folders, machine);
  if (wishes.path) {
    if (!machine.isFile(wishes.path)) {
      return { kind: 'no such file', path: wishes.path };
    }
    return mayRun(wishes.path)
      ? { origin: 'setting', command: wishes.path, arguments: [] }
      : { kind: 'in an untrusted workspace', path: wishes.path };
  }
  if (wishes.trusted && wishes.importStrategy === 'fromEnvironment') {
    const besides = wishes.interpreters.map((interpreter) =>
      path.join(path.dirname(interpreter), machine.windows ? 'pallas-lsp.exe' : 'pallas-lsp'),
    );
    const installed = besides.find((script) => machine.isFile(script));
    if (installed !== undefined) {
      return { origin: 'environment', command: installed, arguments: [] };
    }
    const [onPath] = programs(['pallas-lsp'], machine);
    if (onPath !== undefined) {
      return { origin: 'PATH', command: onPath, arguments: [] };
    }
  }
  const tooOld: string[] = [];
  for (const interpreter of [...wishes.interpreters, ...programs(PYTHON_NAMES, machine)].filter(mayRun)) {
    const version = await machine.pythonVersion(interpreter);
    if (version !== undefined && !isOlder(version, OLDEST_PYTHON)) {
      // -I and -S: only the bundled packages, whatever is installed beside this interpreter.
      return { origin: 'bundled', command: interpreter, arguments: ['-I', '-S', wishes.bundled] };
    }
    if (version !== undefined) {
      tooOld.push(`${interpreter} (${version})`);
    }
  }
  return { kind: 'no Python', tooOld };
}

/** Whether two servers are started by the same command line. */
export function isSame(one: Server | Obstacle | undefined, other: Server | Obstacle): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The programs of these names on PATH, by name first. A relative folder of PATH depends on where one is: it is left out. */
function programs(names: readonly string[], machine: Machine): string[] {
  const endings = machine.windows ? ['.exe'] : [''];
  const folders = machine.folders.filter((folder) => path.isAbsolute(folder));
  return names
    .flatMap((name) => folders.flatMap((folder) => endings.map((ending) => path.join(folder, name + ending))))
    .filter((file) => machine.isFile(file));
}

/** Whether a file lies in one of the folders, as written or with links followed. */
function isInside(file: string, folders: readonly string[], machine: Machine): boolean {
  const written = [path.resolve(file), machine.realPath(file)];
  const roots = folders.flatMap((folder) => [path.resolve(folder), machine.realPath(folder)]);
  return roots.some((root) => written.some((one) => isBelow(one, root)));
}

function isBelow(file: string, root: string): boolean {
  const relative = path.relative(root, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
