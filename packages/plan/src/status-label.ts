/** What a plan's status is called where people read it; imports nothing, so that the command line starts at once. */

/** By the status of the answer: of a plan that ran well, and whose answer is not what was asked for. */
const SUCCEEDED: ReadonlyMap<string, string> = new Map([
  ["no_match", "succeeded: nothing found"],
  ["insufficient_stock", "succeeded: not enough in stock"],
  ["invalid_request", "refused: invalid request"],
  ["unsupported_intent", "refused: not supported"],
]);

/**
 * A plan's status for people, in lower case: "partially succeeded", "refused: not supported". Lists, pages and the command
 * line show the same one. A status that is not known here is its own label.
 *
 * @param answer - The status of the plan's answer.
 */
export function statusLabel(status: string, answer: string | undefined): string {
  if (status === "partial") return "partially succeeded";
  return (status === "succeeded" && answer !== undefined ? SUCCEEDED.get(answer) : undefined) ?? status;
}

/** Whether a plan ran well, and its answer is that the goal was not acted on. */
export function isRefusal(status: string, answer: string | undefined): boolean {
  return status === "succeeded" && (answer === "unsupported_intent" || answer === "invalid_request");
}
