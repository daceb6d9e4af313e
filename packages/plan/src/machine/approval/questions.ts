/** Questions that a step asks of people: it awaits an answer, and nothing else waits with it but what needs it. */
import type { Approval, AwaitingApproval, NextPlan, StepEntry } from "../plan-state.ts";
import type { Json } from "../../values/json.ts";
import { settleRun } from "../step/item-transitions.ts";

type Decided = NonNullable<Approval["decided"]>;
type Awaiting = StepEntry & { readonly state: AwaitingApproval };

/** Makes the answer the step's output, or fails the step when the question was not answered. */
export function decideAnswer(
  next: NextPlan,
  entry: Awaiting,
  { approval, decided }: { readonly approval: Approval; readonly decided: Decided },
): void {
  const { attempt } = entry.state;
  const { by, at } = decided;
  const { requestedAt } = approval;
  const durationMs = Math.max(0, Date.parse(at) - Date.parse(requestedAt));
  const end = { attempt, workerId: by, startedAt: requestedAt, endedAt: at, durationMs };
  if (decided.decision === "answer") {
    const value: Json = { answer: decided.answer ?? null, by };
    settleRun(next, entry, { status: "succeeded", ...end, output: { value } });
    return;
  }
  const why = decided.reason === undefined ? "" : `: ${decided.reason}`;
  const error = decided.expired
    ? { code: "question_expired", message: "the question expired without an answer" }
    : { code: "question_declined", message: `${by} did not answer${why}` };
  settleRun(next, entry, { status: "failed", ...end, error });
}
