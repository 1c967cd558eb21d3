/** The commands of the palette. */

import { execFile } from 'node:child_process';
import {
  commands,
  type Disposable,
  EventEmitter,
  env,
  type LogOutputChannel,
  languages,
  ProgressLocation,
  Range,
  type TextDocument,
  type TextDocumentContentProvider,
  type TextEdit,
  Uri,
  version,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { SECTION, type ServerConnection } from './client.ts';
import { EXAMPLE } from './example.ts';
import { answerOf, runWithInput } from './explaining.ts';
import { fixableFiles, type Rule, ruleItems } from './reports.ts';

/** The scheme of the documents that hold the page of a rule. */
const RULE_SCHEME = 'pallas-rule';

/** The command of the server that runs a kernel and compares; it may not have it. */
export const VERIFY = 'pallas-lsp.verifyKernel';

/** Bytes that a report of the command line may have. */
const LARGEST_REPORT = 256 * 1024 * 1024;

/** Registers all commands. */
export function registerCommands(connection: ServerConnection, log: LogOutputChannel): Disposable[] {
  const pages = new RulePages(connection);
  const handlers: Record<string, () => unknown> = {
    restart: () => connection.restart(),
    showLog: () => log.show(),
    fixFile: () => fixFile(connection),
    fixWorkspace: () => fixWorkspace(connection),
    verify: () => verify(connection),
    explainClipboard: () => explainClipboard(connection),
    showRule: () => pages.choose(),
    showDebugInformation: () => showDebugInformation(connection),
    openExample: () => openDocument(EXAMPLE, 'python'),
  };
  return [
    workspace.registerTextDocumentContentProvider(RULE_SCHEME, pages),
    ...Object.entries(handlers).map(([name, handler]) => commands.registerCommand(`${SECTION}.${name}`, handler)),
  ];
}

function activeDocument(): TextDocument | undefined {
  const document = window.activeTextEditor?.document;
  if (document?.languageId !== 'python') {
    void window.showInformationMessage('Pallas: open a Python file first.');
    return undefined;
  }
  return document;
}

async function fixFile(connection: ServerConnection): Promise<void> {
  const document = activeDocument();
  if (document === undefined) {
    return;
  }
  const changed = await connection.execute<boolean>('pallas-lsp.applyFixes', {
    uri: document.uri.toString(),
    version: document.version,
  });
  if (changed === undefined) {
    void window.showWarningMessage('Pallas: the server is not running.');
  } else if (!changed) {
    void window.showInformationMessage('Pallas: there is nothing that can be fixed without a look.');
  }
}

/** Fixes all files of the workspace, after a question; the user may choose among the changes in the editor's preview. */
async function fixWorkspace(connection: ServerConnection): Promise<void> {
  const fixes = await window.withProgress(
    { location: ProgressLocation.Notification, title: 'Pallas: looking for fixes', cancellable: true },
    async (progress, token) => {
      const fixes: [Uri, TextEdit[]][] = [];
      const files = await filesToFix(connection);
      for (const [index, uri] of files.entries()) {
        if (token.isCancellationRequested) {
          return undefined;
        }
        progress.report({ message: `${index + 1} of ${files.length}`, increment: 100 / files.length });
        fixes.push(...(await fixesOf(uri)));
      }
      return fixes;
    },
  );
  if (fixes === undefined) {
    return;
  }
  if (fixes.length === 0) {
    void window.showInformationMessage('Pallas: there is nothing in the workspace that can be fixed without a look.');
    return;
  }
  const number = fixes.reduce((sum, [, edits]) => sum + edits.length, 0);
  const question = `Pallas: ${number} changes in ${fixes.length} files`;
  const chosen = await window.showInformationMessage(question, { modal: true }, 'Apply All', 'Preview');
  if (chosen !== undefined) {
    const edit = new WorkspaceEdit();
    for (const [uri, edits] of fixes) {
      for (const { range, newText } of edits) {
        edit.replace(uri, range, newText, { label: 'Pallas: fix all', needsConfirmation: chosen === 'Preview' });
      }
    }
    await workspace.applyEdit(edit, { isRefactoring: true });
  }
}

/** The files with a fix: on disk as the command line finds them, and those that are open with changes. */
async function filesToFix(connection: ServerConnection): Promise<Uri[]> {
  const folders = (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  const reports = await Promise.all(
    folders.map((folder) =>
      commandLine(connection, ['check', '--output-format', 'json', '--exit-zero', '--no-cache'], folder.uri.fsPath),
    ),
  );
  const onDisk = reports.flatMap(fixableFiles).map((file) => Uri.file(file));
  const changed = workspace.textDocuments.filter((document) => document.languageId === 'python' && document.isDirty);
  const all = [...onDisk, ...changed.map((document) => document.uri)].filter((uri) => uri.scheme === 'file');
  return [...new Map(all.map((uri) => [uri.toString(), uri])).values()];
}

/** What "fix all" does to a file. Opening it, without a tab, lets the server see it. */
async function fixesOf(uri: Uri): Promise<[Uri, TextEdit[]][]> {
  const document = await workspace.openTextDocument(uri);
  const whole = new Range(0, 0, document.lineCount, 0);
  const actions = await commands.executeCommand<{ edit?: WorkspaceEdit }[]>(
    'vscode.executeCodeActionProvider',
    uri,
    whole,
    'source.fixAll.pallas-lsp',
    1,
  );
  return actions[0]?.edit?.entries() ?? [];
}

async function verify(connection: ServerConnection): Promise<void> {
  const document = activeDocument();
  const position = window.activeTextEditor?.selection.active;
  if (document === undefined || position === undefined) {
    return;
  }
  if (!connection.offers(VERIFY)) {
    void window.showInformationMessage('Pallas: this server does not verify kernels; upgrade pallas-lsp to have it.');
    return;
  }
  await connection.execute(VERIFY, { uri: document.uri.toString(), position });
}

/** Explains the traceback in the clipboard. The files that it names are read, as seen from the workspace. */
async function explainClipboard(connection: ServerConnection): Promise<void> {
  const command = connection.commandLine;
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const text = await env.clipboard.readText();
  const answer = answerOf(await runWithInput(command === undefined ? [] : [...command, 'explain'], text, folder));
  if (answer.kind === 'document') {
    await openDocument(answer.content, 'diff');
  } else {
    void window.showInformationMessage(`Pallas: ${answer.text}`);
  }
}

async function showDebugInformation(connection: ServerConnection): Promise<void> {
  const information = {
    editor: version,
    platform: `${process.platform} ${process.arch}, Node ${process.version}`,
    trusted: workspace.isTrusted,
    status: connection.status,
    server: (await connection.execute('pallas-lsp.debugInformation').catch(String)) ?? null,
  };
  await openDocument(`${JSON.stringify(information, undefined, 2)}\n`, 'json');
}

async function openDocument(content: string, language: string): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument({ content, language }));
}

/** The pages of the rules, as the command line prints them. */
class RulePages implements TextDocumentContentProvider {
  private readonly connection: ServerConnection;
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;

  constructor(connection: ServerConnection) {
    this.connection = connection;
  }

  provideTextDocumentContent(uri: Uri): Promise<string> {
    return commandLine(this.connection, ['rule', uri.path.replace(/\.md$/, ''), '--output-format', 'markdown']);
  }

  /** Lets the user choose a rule, those of the findings at the cursor first, and shows its page. */
  async choose(): Promise<void> {
    const rules: Rule[] = JSON.parse(await commandLine(this.connection, ['rule', '--all', '--output-format', 'json']));
    const chosen = await window.showQuickPick(ruleItems(rules, codesAtCursor()), {
      title: 'Pallas: Show Rule',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (chosen !== undefined) {
      const uri = Uri.from({ scheme: RULE_SCHEME, path: `${chosen.code}.md` });
      await commands.executeCommand('markdown.showPreview', uri);
    }
  }
}

function codesAtCursor(): string[] {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    return [];
  }
  const here = languages
    .getDiagnostics(editor.document.uri)
    .filter((diagnostic) => diagnostic.source === SECTION && diagnostic.range.contains(editor.selection.active));
  return here.map(({ code }) => String(typeof code === 'object' ? code.value : code));
}

/** What the command line of the server prints; it runs in the folder, with the settings that hold there. */
function commandLine(connection: ServerConnection, args: readonly string[], folder?: string): Promise<string> {
  const [program, ...first] = connection.commandLine ?? [];
  if (program === undefined) {
    return Promise.reject(new Error('Pallas: there is no server.'));
  }
  const options = { maxBuffer: LARGEST_REPORT, ...(folder !== undefined && { cwd: folder }) };
  return new Promise((resolve, reject) => {
    execFile(program, [...first, ...args], options, (error, output, complaints) =>
      error ? reject(new Error(complaints.trim() || String(error))) : resolve(output),
    );
  });
}
