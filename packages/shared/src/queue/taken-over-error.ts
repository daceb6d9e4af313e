/** The message that this worker had in hand was delivered to another one, which continues it. */
export class TakenOverError extends Error {
  override readonly name = "TakenOverError";
}
