/**
 * The two kinds of errors, distinguished by how the receiver should react.
 *
 * One place decides what happens to a message: after a `TransientError` it is delivered again after a
 * delay, after a `PermanentError` never. An error of any other class counts as transient.
 */

/** The same call may succeed later: a busy server, a lost connection, a timeout. */
export class TransientError extends Error {
  override readonly name: string = "TransientError";
  /** The delay requested by the other side, in milliseconds; absent when it requested none. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The same call will fail again: invalid arguments, a rejected address, a missing file. */
export class PermanentError extends Error {
  override readonly name: string = "PermanentError";
  /** A stable code for programs, such as `address_refused`; the message is for users. */
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
