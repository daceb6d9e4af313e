/** A capability of programs: the host's side, and the guest's own source that builds on it. */

/** A function of the host for the guest. What it is called with are the program's own words; what it throws is thrown there. */
export type HostFunction = (...texts: readonly string[]) => string | void;

export type GuestPart = {
  /** How programs name it. */
  readonly name: string;
  /** What only the part's own source is given, never the program. */
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** For the source too: a JSON value. */
  readonly data: unknown;
  /**
   * JavaScript: a function of `own` (see guest-core.ts), `host` (the functions) and `data`. It gives what the program
   * gets under the name. It runs before the program, and keeps for itself what the program could change later.
   */
  readonly source: string;
};
