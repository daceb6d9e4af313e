/** A capability of programs: the host's side, and the guest source that builds on it. */

/**
 * A host function for the guest. Its arguments come from the program and are untrusted; errors that it throws are rethrown in the
 * guest.
 */
export type HostFunction = (...texts: readonly string[]) => string | void;

export type GuestPart = {
  /** The name that programs use. */
  readonly name: string;
  /** Passed only to the part's own source, never to the program. */
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** Also passed to the source: a JSON value. */
  readonly data: unknown;
  /**
   * JavaScript: a function of `own` (see guest-core.ts), `host` (the functions) and `data`. It returns what the program gets
   * under the name. It runs before the program, and keeps its own references to anything that the program could change later.
   */
  readonly source: string;
};
