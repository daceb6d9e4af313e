/**
 * The two faults our machinery knows, told apart by what the receiver should do.
 *
 * One place turns them into the handling of a message: `TransientError` is delivered again after a
 * delay, `PermanentError` is never tried again. An error of any other class counts as transient.
 */

/** The same call may succeed later: a busy server, a lost connection, a time-out. */
export class TransientError extends Error {
  override readonly name: string = "TransientError";
  /** How long the other side asked us to wait, in milliseconds; absent when it did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The same call will fail again: bad arguments, a refused address, a missing file. */
export class PermanentError extends Error {
  override readonly name: string = "PermanentError";
  /** A stable word for programs, such as `address_refused`; the message is for people. */
  readonly code: string;

  constructor(message: string, options: ErrorOptions & { readonly code?: string } = {}) {
    super(message, options);
    this.code = options.code ?? "failed";
  }
}

/** An error's message and those of its causes, outermost first: `cannot read page: connect ECONNREFUSED`. */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  let current = error;
  while (current instanceof Error && parts.length < 5) {
    parts.push(current.message === "" ? current.name : current.message);
    current = current.cause;
  }
  return parts.length === 0 ? String(error) : [...new Set(parts)].join(": ");
}
