/** The extension: everything begins and ends here. */

import { commands, type ExtensionContext, window, workspace } from 'vscode';
import { SECTION, ServerConnection } from './client.ts';
import { registerCommands, VERIFY } from './commands.ts';
import { onInterpreterChange } from './python.ts';
import { StatusItem } from './status.ts';

/** The settings that decide which server runs. */
const CHOICE_OF_SERVER = ['path', 'interpreter', 'importStrategy'].map((key) => `${SECTION}.${key}`);

let connection: ServerConnection | undefined;

/** Called by the editor when a Python file or a notebook is opened, or one of the commands is used. */
export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('Pallas', { log: true });
  const created = new ServerConnection(context, log);
  connection = created;
  context.subscriptions.push(
    log,
    new StatusItem(created),
    ...registerCommands(created, log),
    created.onDidChange(() => {
      void commands.executeCommand('setContext', `${SECTION}.canVerify`, created.offers(VERIFY));
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (CHOICE_OF_SERVER.some((key) => event.affectsConfiguration(key))) {
        void created.update();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(() => void created.restart()),
  );
  await created.restart();
  const subscription = await onInterpreterChange(() => void created.update());
  if (subscription !== undefined) {
    context.subscriptions.push(subscription);
  }
}

/** Called by the editor before it ends. */
export function deactivate(): Promise<void> | undefined {
  return connection?.stop();
}
