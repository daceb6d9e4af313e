/** Names a call: its turn, and its place in it where the turn has several calls. */
export type CallName = { readonly turn: number; readonly call?: number | undefined };

/** How ids, keys and subjects name a call: `3`, or `3_2` for the second call of turn 3. */
export function callToken({ turn, call }: CallName): string {
  return call === undefined ? String(turn) : `${turn}_${call}`;
}
