/** What the search for a server asks of the machine. */

import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import * as path from 'node:path';

/** The files and programs of a machine. */
export interface Machine {
  readonly windows: boolean;
  /** The folders of PATH. */
  readonly folders: readonly string[];
  isFile(file: string): boolean;
  /** The path with all links followed; the path itself if there is no such file. */
  realPath(file: string): string;
  /** The version of a Python interpreter, as `3.12`; undefined if it does not run. */
  pythonVersion(interpreter: string): Promise<string | undefined>;
}

/** Milliseconds that an interpreter has to say its version. */
const PATIENCE = 20_000;

const VERSION_PROGRAM = 'import sys; print("%d.%d" % sys.version_info[:2])';

/** The machine that the extension runs on. */
export const thisMachine: Machine = {
  windows: process.platform === 'win32',
  get folders() {
    return (process.env.PATH ?? '').split(path.delimiter);
  },
  isFile(file) {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  },
  realPath(file) {
    try {
      return realpathSync.native(file);
    } catch {
      return file;
    }
  },
  pythonVersion(interpreter) {
    return new Promise((resolve) => {
      execFile(interpreter, ['-I', '-S', '-c', VERSION_PROGRAM], { timeout: PATIENCE }, (error, output) =>
        resolve(error ? undefined : output.trim()),
      );
    });
  },
};
