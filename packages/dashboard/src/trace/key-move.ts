/** What a key does in the tree of spans, as in any tree: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/ */
import type { VisibleRow } from "./visible-rows.ts";

export type KeyMove =
  | { readonly kind: "go" | "choose"; readonly index: number; readonly row: VisibleRow }
  | { readonly kind: "toggle"; readonly row: VisibleRow; readonly open: boolean }
  | { readonly kind: "leave" };

/** Rows that one key goes over. */
const PAGE = 15;

/** Undefined when the key means nothing here. */
export function keyMove(key: string, rows: readonly VisibleRow[], at: number): KeyMove | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  switch (key) {
    case "ArrowDown":
      return go(rows, at + 1);
    case "ArrowUp":
      return go(rows, at - 1);
    case "PageDown":
      return go(rows, at + PAGE);
    case "PageUp":
      return go(rows, at - PAGE);
    case "Home":
      return go(rows, 0);
    case "End":
      return go(rows, rows.length - 1);
    case "ArrowRight":
      if (row.below === 0) return undefined;
      return row.isOpen ? go(rows, at + 1) : { kind: "toggle", row, open: true };
    case "ArrowLeft":
      return row.isOpen ? { kind: "toggle", row, open: false } : go(rows, parentOf(rows, at));
    case "Enter":
    case " ":
      return { kind: "choose", index: at, row };
    case "Escape":
      return { kind: "leave" };
    default:
      return undefined;
  }
}

function go(rows: readonly VisibleRow[], wanted: number): KeyMove | undefined {
  const index = Math.max(0, Math.min(rows.length - 1, wanted));
  const row = rows[index];
  return row === undefined ? undefined : { kind: "go", index, row };
}

function parentOf(rows: readonly VisibleRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  return rows.slice(0, at).findLastIndex((row) => row.depth < depth);
}
