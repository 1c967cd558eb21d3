/** The words of the status item. */

import type { Server } from './finding.ts';

/**
 * The text and the detail of the status item.
 *
 * @param kernels in the file at hand; undefined when unknown.
 */
export function titles(
  state: 'starting' | 'running' | 'stopped',
  version: string,
  kernels: number | undefined,
  server: Server | undefined,
): { text: string; detail: string } {
  if (state !== 'running') {
    return { text: `Pallas: ${state}`, detail: server?.command ?? '' };
  }
  const counted = kernels === undefined ? 'running' : kernels === 1 ? '1 kernel' : `${kernels} kernels`;
  const origin = server === undefined ? '' : ` (${server.origin})`;
  return { text: `Pallas: ${counted}`, detail: `pallas-lsp ${version}${origin}` };
}
