/** The labels of a plan's status. Imports nothing, so that the command line starts fast. */

/** Labels of succeeded plans whose answer does not fulfil the goal, by the answer's status. */
const SUCCEEDED: ReadonlyMap<string, string> = new Map([
  ["no_match", "succeeded: nothing found"],
  ["insufficient_stock", "succeeded: not enough in stock"],
  ["invalid_request", "refused: invalid request"],
  ["unsupported_intent", "refused: not supported"],
]);

/**
 * Returns the label of a plan's status in lower case: "partially succeeded", "refused: not supported". An unknown status is
 * its own label.
 *
 * @param answer - The status of the plan's answer.
 */
export function statusLabel(status: string, answer: string | undefined): string {
  if (status === "partial") return "partially succeeded";
  if (status === "awaiting-approval") return "waiting for approval";
  return (status === "succeeded" && answer !== undefined ? SUCCEEDED.get(answer) : undefined) ?? status;
}

/** The statuses of answers that refuse the goal. */
export const REFUSALS: ReadonlySet<string> = new Set(["unsupported_intent", "invalid_request"]);

/** Returns whether a plan succeeded, but its answer refuses the goal. */
export function isRefusal(status: string, answer: string | undefined): boolean {
  return status === "succeeded" && answer !== undefined && REFUSALS.has(answer);
}
