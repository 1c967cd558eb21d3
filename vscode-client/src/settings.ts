/** The settings of the server, as they are written in the editor. */

/** What `WorkspaceConfiguration.inspect` tells about where a setting is written. */
type Places = Readonly<Record<string, unknown>>;

/** The part of a `WorkspaceConfiguration` that is needed here. */
export interface Configuration {
  get(key: string): unknown;
  inspect(key: string): Places | undefined;
}

const WRITTEN = [
  'globalValue',
  'workspaceValue',
  'workspaceFolderValue',
  'globalLanguageValue',
  'workspaceLanguageValue',
  'workspaceFolderLanguageValue',
];

/**
 * The settings that are written somewhere; those that only have their default are left out. The server lays what the
 * editor sends on top of the project's settings file, so a default must not be sent.
 *
 * @param keys of the server's settings, without the section; those of the extension itself are no concern of the server.
 */
export function writtenSettings(
  configuration: Configuration,
  keys: readonly string[],
  variables: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const isWritten = (key: string) => {
    const places = configuration.inspect(key) ?? {};
    return WRITTEN.some((place) => places[place] !== undefined);
  };
  return nested(keys.filter(isWritten).map((key) => [key, expanded(configuration.get(key), variables)]));
}

/** Pairs as an object; `a.b` is the key `b` of an object in `a`. */
function nested(pairs: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [key, value] of pairs) {
    const [group = '', name] = key.split('.');
    found[group] = name === undefined ? value : { ...(found[group] as object | undefined), [name]: value };
  }
  return found;
}

/** A value with `${name}` in its strings replaced; an unknown variable stays as it is. */
export function expanded(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([^}]+)\}/g, (whole, name: string) => variables[name] ?? whole);
  }
  return Array.isArray(value) ? value.map((item) => expanded(item, variables)) : value;
}

interface Group {
  readonly id?: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const GROUPS = ['checker', 'shown'];

/** The keys of the server's settings: those in two groups of a package.json, without the section. */
export function serverKeys(manifest: { contributes: { configuration: readonly Group[] } }): string[] {
  const groups = manifest.contributes.configuration.filter((group) => GROUPS.includes(group.id ?? ''));
  return groups.flatMap((group) => Object.keys(group.properties)).map((key) => key.replace(/^pallas-lsp\./, ''));
}
