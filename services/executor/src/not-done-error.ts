import { TransientError } from "@planwright/shared/errors";

/**
 * Thrown by a tool that acts once when it is sure that nothing happened, and that it may succeed later: the target
 * was never reached, or said that it did nothing. Any other error but a `PermanentError` leaves it open whether the
 * tool acted.
 */
export class NotDoneError extends TransientError {
  override readonly name = "NotDoneError";
}
