/** The language client: one server for all folders of the window, started again when another one is to be used. */

import * as path from 'node:path';
import {
  commands,
  EventEmitter,
  type ExtensionContext,
  env,
  type LogOutputChannel,
  Uri,
  window,
  workspace,
} from 'vscode';
import {
  type ConfigurationItem,
  DidChangeConfigurationNotification,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  State,
} from 'vscode-languageclient/node';
import { findServer, isSame, type Obstacle, type Server, type Wishes } from './finding.ts';
import { thisMachine } from './machine.ts';
import { selectedInterpreter } from './python.ts';
import { expanded, serverKeys, writtenSettings } from './settings.ts';
import { isOlder, OLDEST_SERVER } from './versions.ts';

/** The section of the settings, the prefix of the commands, and the name of the server. */
export const SECTION = 'pallas-lsp';

/** What is known of the server. */
export interface Status {
  readonly state: 'starting' | 'running' | 'stopped';
  readonly server: Server | Obstacle | undefined;
  /** What the running server says about itself; empty when it does not run. */
  readonly version: string;
}

/** The server of this window, and the connection to it. */
export class ServerConnection {
  private readonly changed = new EventEmitter<Status>();
  readonly onDidChange = this.changed.event;
  private client: LanguageClient | undefined;
  private found: Server | Obstacle | undefined;
  private queue: Promise<void> = Promise.resolve();
  private readonly context: ExtensionContext;
  private readonly log: LogOutputChannel;
  private readonly keys: readonly string[];

  constructor(context: ExtensionContext, log: LogOutputChannel) {
    this.context = context;
    this.log = log;
    this.keys = serverKeys(context.extension.packageJSON);
  }

  get status(): Status {
    const state = this.client?.state ?? State.Stopped;
    return {
      state: state === State.Running ? 'running' : state === State.Starting ? 'starting' : 'stopped',
      server: this.found,
      version: (state === State.Running && this.client?.initializeResult?.serverInfo?.version) || '',
    };
  }

  /** Whether the server executes a command. */
  offers(command: string): boolean {
    return this.client?.initializeResult?.capabilities.executeCommandProvider?.commands.includes(command) ?? false;
  }

  /** Has the server execute a command; undefined if it does not run. */
  async execute<Result>(command: string, ...args: unknown[]): Promise<Result | undefined> {
    if (this.client?.state !== State.Running) {
      return undefined;
    }
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  }

  /** The program and the first arguments of `pallas-lsp`, for other commands than `server`; undefined without a server. */
  get commandLine(): readonly string[] | undefined {
    return this.found && 'command' in this.found ? [this.found.command, ...this.found.arguments] : undefined;
  }

  /** Starts the server again. */
  restart(): Promise<void> {
    return this.enqueue(async () => this.startServer(await this.find()));
  }

  /** Starts another server if settings, trust or the selected interpreter now say so. */
  update(): Promise<void> {
    return this.enqueue(async () => {
      const server = await this.find();
      if (!isSame(this.found, server)) {
        await this.startServer(server);
      }
    });
  }

  /** Stops the server. */
  stop(): Promise<void> {
    return this.enqueue(() => this.stopServer());
  }

  /** One after the other: a start must not overtake a stop. */
  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error) => this.log.error(error));
    return this.queue;
  }

  private async find(): Promise<Server | Obstacle> {
    const folder = workspace.workspaceFolders?.[0]?.uri;
    const configuration = workspace.getConfiguration(SECTION, folder);
    const variables = variablesOf(folder);
    const configured = String(expanded(configuration.get('interpreter', ''), variables));
    const selected = workspace.isTrusted ? await selectedInterpreter(folder) : undefined;
    const wishes: Wishes = {
      path: String(expanded(configuration.get('path', ''), variables)),
      importStrategy: configuration.get('importStrategy', 'fromEnvironment'),
      interpreters: [configured, selected ?? ''].filter((interpreter) => interpreter !== ''),
      trusted: workspace.isTrusted,
      folders: (workspace.workspaceFolders ?? []).map((each) => each.uri.fsPath),
      bundled: this.context.asAbsolutePath(path.join('bundled', 'run.py')),
    };
    return findServer(wishes, thisMachine);
  }

  private async startServer(server: Server | Obstacle): Promise<void> {
    await this.stopServer();
    this.found = server;
    if (!('command' in server)) {
      this.changed.fire(this.status);
      this.log.error(explanation(server));
      void offerRemedies(server);
      return;
    }
    this.log.info(`Starting ${[server.command, ...server.arguments, 'server'].join(' ')} (${server.origin})`);
    const client = new LanguageClient(
      SECTION,
      'Pallas',
      { command: server.command, args: [...server.arguments, 'server'], options: { cwd: this.context.extensionPath } },
      this.options(),
    );
    this.client = client;
    client.onDidChangeState(() => this.changed.fire(this.status));
    try {
      await client.start();
    } catch (error) {
      this.log.error(`The server does not start: ${error}`);
      void window
        .showErrorMessage(`Pallas: ${server.command} does not start as a language server.`, 'Show Log')
        .then((chosen) => chosen && this.log.show());
      return;
    }
    const version = this.status.version;
    this.log.info(`Server ${version} is running`);
    if (isOlder(version, OLDEST_SERVER)) {
      void offerUpgrade(server, version);
    }
  }

  private async stopServer(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.found = undefined;
    await client?.dispose().catch((error) => this.log.warn(`The server did not stop by itself: ${error}`));
    this.changed.fire(this.status);
  }

  private options(): LanguageClientOptions {
    const schemes = ['file', 'untitled', 'vscode-vfs'];
    return {
      documentSelector: [
        ...schemes.map((scheme) => ({ scheme, language: 'python' })),
        { notebook: 'jupyter-notebook', language: 'python' },
      ],
      outputChannel: this.log,
      initializationOptions: () => ({ trusted: workspace.isTrusted }),
      diagnosticPullOptions: { onChange: true, onTabs: false },
      middleware: {
        workspace: {
          configuration: (params) => params.items.map((item) => this.answer(item)),
          // The server asks for what it needs; the whole section would hold settings that are not its own.
          didChangeConfiguration: async () =>
            this.client?.sendNotification(DidChangeConfigurationNotification.type, { settings: null }),
        },
      },
    };
  }

  private answer(item: ConfigurationItem): Record<string, unknown> | null {
    if (item.section !== SECTION) {
      return null;
    }
    const scope = item.scopeUri === undefined ? undefined : Uri.parse(item.scopeUri);
    const folder = scope ?? workspace.workspaceFolders?.[0]?.uri;
    return writtenSettings(workspace.getConfiguration(SECTION, scope), this.keys, variablesOf(folder));
  }
}

function variablesOf(folder: Uri | undefined): Record<string, string> {
  const home = process.env.HOME ?? process.env.USERPROFILE ?? '';
  return { userHome: home, ...(folder && { workspaceFolder: folder.fsPath }) };
}

/** What a user reads about the lack of a server. */
export function explanation(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'no such file':
      return `Pallas: there is no file ${obstacle.path}, which the setting pallas-lsp.path names.`;
    case 'in an untrusted workspace':
      return `Pallas: ${obstacle.path} lies in a workspace that is not trusted, so it is not run.`;
    case 'no Python': {
      const tooOld = obstacle.tooOld.length > 0 ? ` Too old: ${obstacle.tooOld.join(', ')}.` : '';
      return `Pallas: no Python 3.10 or newer was found to run the checker.${tooOld}`;
    }
  }
}

async function offerRemedies(obstacle: Obstacle): Promise<void> {
  const openSettings = 'Open Settings';
  const download = 'Install Python';
  const choices = obstacle.kind === 'no Python' ? [download, openSettings] : [openSettings];
  const chosen = await window.showErrorMessage(explanation(obstacle), ...choices);
  if (chosen === openSettings) {
    const setting = obstacle.kind === 'no Python' ? 'pallas-lsp.interpreter' : 'pallas-lsp.path';
    await commands.executeCommand('workbench.action.openSettings', setting);
  } else if (chosen === download) {
    await env.openExternal(Uri.parse('https://www.python.org/downloads/'));
  }
}

/** The command that upgrades a server which is installed beside an interpreter. */
export function upgradeCommand(server: Server): string {
  const python = path.join(path.dirname(server.command), process.platform === 'win32' ? 'python.exe' : 'python');
  return `${thisMachine.isFile(python) ? `"${python}"` : 'python'} -m pip install --upgrade pallas-lsp`;
}

async function offerUpgrade(server: Server, version: string): Promise<void> {
  const copy = 'Copy the Upgrade Command';
  const useBundled = 'Use the Bundled Server';
  const command = upgradeCommand(server);
  const chosen = await window.showWarningMessage(
    `Pallas: ${server.command} is version ${version}, and this extension needs ${OLDEST_SERVER} or newer. Upgrade it: ${command}`,
    copy,
    useBundled,
  );
  if (chosen === copy) {
    await env.clipboard.writeText(command);
  } else if (chosen === useBundled) {
    const configuration = workspace.getConfiguration(SECTION);
    await configuration.update('path', undefined, true);
    await configuration.update('importStrategy', 'useBundled', true);
  }
}
