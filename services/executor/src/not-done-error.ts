import { PermanentError, TransientError } from "@planwright/shared/errors";

/**
 * Thrown by a tool that acts once when it is sure that nothing happened, and that it may succeed later: the target
 * was never reached, or said that it did nothing. Any other error but a `PermanentError` leaves it open whether the
 * tool acted.
 */
export class NotDoneError extends TransientError {
  override readonly name = "NotDoneError";
}

/** Whether a tool's error says that it has not acted. What is wrong with an output says nothing of it. */
export function saysNothingDone(error: unknown): boolean {
  if (error instanceof PermanentError) return error.code !== "invalid_output";
  return error instanceof NotDoneError;
}
