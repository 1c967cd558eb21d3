/** The interpreter that is selected in the Python extension. That extension is not required. */

import { type Disposable, extensions, type Uri } from 'vscode';

/** The part of the API of `ms-python.python` that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: Uri): { readonly id: string; readonly path: string };
    resolveEnvironment(environment: {
      readonly id: string;
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath(listener: () => void): Disposable;
  };
}

async function api(): Promise<PythonApi | undefined> {
  const extension = extensions.getExtension<PythonApi>('ms-python.python');
  const exported = await extension?.activate();
  return exported?.environments === undefined ? undefined : exported;
}

/** The path of the selected interpreter; undefined if none is selected, or without the Python extension. */
export async function selectedInterpreter(resource: Uri | undefined): Promise<string | undefined> {
  const python = await api();
  const environment =
    python && (await python.environments.resolveEnvironment(python.environments.getActiveEnvironmentPath(resource)));
  return environment?.executable.uri?.fsPath;
}

/** Calls a listener whenever another interpreter is selected. */
export async function onInterpreterChange(listener: () => void): Promise<Disposable | undefined> {
  return (await api())?.environments.onDidChangeActiveEnvironmentPath(listener);
}
