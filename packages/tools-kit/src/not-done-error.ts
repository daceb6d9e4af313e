import { TransientError } from "@planwright/shared/errors";

/**
 * Thrown by a tool of effect `once` if it is certain that nothing happened, and that a later attempt may succeed: the target was
 * never reached, or reported that it did nothing. After any other error except a `PermanentError`, it is unknown whether the tool
 * acted.
 */
export class NotDoneError extends TransientError {
  override readonly name = "NotDoneError";
}
