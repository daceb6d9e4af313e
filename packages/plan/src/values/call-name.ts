/** Identifies a call: its turn, and its position in the turn if that has several calls. */
export type CallName = { readonly turn: number; readonly call?: number | undefined };

/** The form of a call in ids, keys and subjects: `3`, or `3_2` for the second call of turn 3. */
export function callToken({ turn, call }: CallName): string {
  return call === undefined ? String(turn) : `${turn}_${call}`;
}
