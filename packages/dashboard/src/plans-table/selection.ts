/** The selected plans. They stay selected while rows come, go and move. */

export type Selection = {
  readonly ids: ReadonlySet<string>;
  /** The start of a range: the row selected last. */
  readonly anchor: string | undefined;
};

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined };

type Rows = readonly { readonly planId: string }[];

/** Selects or deselects one plan. */
export function toggled({ ids }: Selection, planId: string): Selection {
  const next = new Set(ids);
  if (!next.delete(planId)) next.add(planId);
  return { ids: next, anchor: planId };
}

/** Selects all rows from the last selected one to this one; other rows stay as they are. */
export function extended(selection: Selection, planId: string, rows: Rows): Selection {
  const from = rows.findIndex((row) => row.planId === selection.anchor);
  const to = rows.findIndex((row) => row.planId === planId);
  if (to === -1) return selection;
  const [first, last] = from === -1 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  const range = rows.slice(first, last + 1).map((row) => row.planId);
  return { ids: selection.ids.union(new Set(range)), anchor: from === -1 ? planId : selection.anchor };
}

/** Selects all rows, or none if all are. */
export function allToggled({ ids }: Selection, rows: Rows): Selection {
  if (rows.length > 0 && rows.every(({ planId }) => ids.has(planId))) return NOTHING_SELECTED;
  return { ids: new Set(rows.map(({ planId }) => planId)), anchor: undefined };
}
