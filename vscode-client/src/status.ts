/** The status item beside the language mode: state, version, and the number of kernels of the file at hand. */

import { type Disposable, type LanguageStatusItem, LanguageStatusSeverity, languages, window, workspace } from 'vscode';
import { explanation, type ServerConnection } from './client.ts';
import { titles } from './titles.ts';

/** Milliseconds after a change before kernels are counted again. */
const PAUSE = 500;

/** Shows the status of a connection until it is disposed. */
export class StatusItem implements Disposable {
  private readonly item: LanguageStatusItem;
  private readonly connection: ServerConnection;
  private readonly subscriptions: Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private kernels: number | undefined;

  constructor(connection: ServerConnection) {
    this.connection = connection;
    this.item = languages.createLanguageStatusItem('pallas-lsp.status', { language: 'python' });
    this.item.name = 'Pallas';
    this.subscriptions = [
      this.item,
      connection.onDidChange(() => {
        this.show();
        // Once it runs, the server is told which documents are open; before that it has nothing to count.
        this.countLater(PAUSE);
      }),
      window.onDidChangeActiveTextEditor(() => this.countLater(0)),
      workspace.onDidChangeTextDocument((event) => {
        if (event.document === window.activeTextEditor?.document) {
          this.countLater(PAUSE);
        }
      }),
    ];
    this.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.subscriptions) {
      each.dispose();
    }
  }

  private countLater(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.count(), delay);
  }

  private async count(): Promise<void> {
    const document = window.activeTextEditor?.document;
    const wanted = document?.languageId === 'python' && this.connection.offers('pallas-lsp.countKernels');
    const uri = document?.uri.toString();
    // A document that the server does not have is answered with an error: then no number is shown.
    const answer = wanted && this.connection.execute<number>('pallas-lsp.countKernels', { uri });
    this.kernels = answer ? await answer.catch(() => undefined) : undefined;
    this.show();
  }

  private show(): void {
    const { state, server, version } = this.connection.status;
    const obstacle = server !== undefined && 'kind' in server ? server : undefined;
    const text = titles(state, version, this.kernels, server !== undefined && 'origin' in server ? server : undefined);
    this.item.text = text.text;
    this.item.detail = obstacle ? explanation(obstacle) : text.detail;
    this.item.busy = state === 'starting';
    this.item.severity = state === 'stopped' ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
    this.item.command =
      state === 'stopped'
        ? { title: 'Restart', command: 'pallas-lsp.restart' }
        : { title: 'Show Log', command: 'pallas-lsp.showLog' };
  }
}
