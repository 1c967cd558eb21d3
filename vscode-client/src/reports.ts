/** What the command line prints, as data. */

/** A rule, as `pallas-lsp rule --all --output-format json` prints it. */
export interface Rule {
  readonly code: string;
  readonly name: string;
  readonly summary: string;
}

/** The files of a report of `pallas-lsp check --output-format json` with a fix outside of notebooks. */
export function fixableFiles(report: string): string[] {
  interface Found {
    readonly filename: string;
    readonly cell: number | null;
    readonly fix: { readonly applicability: string } | null;
  }
  const found: Found[] = JSON.parse(report);
  const fixable = found.filter((each) => each.fix !== null && each.cell === null);
  return [...new Set(fixable.map((each) => each.filename))];
}

/** Entries to choose a rule from; the rules in `first` come first. */
export function ruleItems(rules: readonly Rule[], first: readonly string[]) {
  const items = rules.map(({ code, name, summary }) => ({ label: `${code} ${name}`, detail: summary, code }));
  return items.sort((one, other) => Number(first.includes(other.code)) - Number(first.includes(one.code)));
}
