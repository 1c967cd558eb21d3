/** Explains a traceback: the command line reads it, and what it prints is shown. */

import { execFile } from 'node:child_process';

/** How a program ended. */
export interface Finished {
  /** Its exit code; undefined if it could not be started, or was ended from outside. */
  readonly code: number | undefined;
  readonly output: string;
  readonly complaints: string;
}

/** What the user gets to see. */
export type Answer =
  | { readonly kind: 'document'; readonly content: string }
  | { readonly kind: 'message'; readonly text: string };

const LARGEST_OUTPUT = 16 * 1024 * 1024;

/** Runs a program that reads `input`; `folder` is where files that the input names are looked up. */
export function runWithInput(command: readonly string[], input: string, folder: string | undefined): Promise<Finished> {
  const [program, ...args] = command;
  if (program === undefined) {
    return Promise.resolve({ code: undefined, output: '', complaints: 'there is no server' });
  }
  const options = { maxBuffer: LARGEST_OUTPUT, ...(folder !== undefined && { cwd: folder }) };
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, output, complaints) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
      resolve({ code, output, complaints: complaints || (code === undefined ? String(error) : '') });
    });
    // A program that ends before it has read everything breaks the pipe; its exit code says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** What to show of `pallas-lsp explain`: 0 explained, 1 an error that no rule knows, 2 no traceback. */
export function answerOf({ code, output, complaints }: Finished): Answer {
  switch (code) {
    case 0:
      return { kind: 'document', content: output };
    case 1:
      return { kind: 'message', text: output.trim() };
    default:
      return { kind: 'message', text: complaints.trim().replace(/^pallas-lsp: error: /, '') };
  }
}
