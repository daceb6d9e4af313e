/** Which rows of a trace are shown: those that fit what is looked for, and what leads to them. */
import type { SpanRow } from "./span-tree.ts";

export type RowFilter = {
  /** In a span's name, service, status or attributes; case does not matter. */
  readonly text: string;
  readonly errorsOnly: boolean;
  readonly service: string | undefined;
};

export const NO_FILTER: RowFilter = { text: "", errorsOnly: false, service: undefined };

export type VisibleRow = SpanRow & {
  readonly isOpen: boolean;
  /** Shown only because something below it fits. */
  readonly isContext: boolean;
};

/** What is closed hides what is below it, unless something is looked for. */
export function visibleRows(
  rows: readonly SpanRow[],
  { closed, filter }: { readonly closed: ReadonlySet<string>; readonly filter: RowFilter },
): { readonly rows: readonly VisibleRow[]; readonly matches: number } {
  if (!isFiltering(filter)) return { rows: openRows(rows, closed), matches: rows.length };
  const fits = matcherOf(filter);
  const shown: VisibleRow[] = [];
  let matches = 0;
  // From the end: what leads to a match comes before it, and is less deep.
  let wantedDepth = 0;
  for (const row of rows.toReversed()) {
    const isMatch = fits(row);
    const leads = wantedDepth > row.depth;
    if (isMatch) matches += 1;
    if (isMatch || leads) {
      shown.push({ ...row, isOpen: row.below > 0, isContext: !isMatch });
      wantedDepth = row.depth;
    }
  }
  return { rows: shown.toReversed(), matches };
}

export function isFiltering({ text, errorsOnly, service }: RowFilter): boolean {
  return text.trim() !== "" || errorsOnly || service !== undefined;
}

function openRows(rows: readonly SpanRow[], closed: ReadonlySet<string>): VisibleRow[] {
  const shown: VisibleRow[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (row === undefined) break;
    const isOpen = row.below > 0 && !closed.has(row.span.spanId);
    shown.push({ ...row, isOpen, isContext: false });
    if (!isOpen) index += row.below;
  }
  return shown;
}

function matcherOf({ text, errorsOnly, service }: RowFilter): (row: SpanRow) => boolean {
  const wanted = text.trim().toLowerCase();
  return ({ span }) =>
    (!errorsOnly || span.status === "error") &&
    (service === undefined || span.service === service) &&
    (wanted === "" || textOf(span).includes(wanted));
}

function textOf({ name, service, spanId, statusMessage = "", attributes }: SpanRow["span"]): string {
  return `${name}\n${service}\n${spanId}\n${statusMessage}\n${JSON.stringify(attributes)}`.toLowerCase();
}
