import { counts, evolve } from "../machine/evolve.ts";
import type { KnownPlan, Plan } from "../machine/plan-state.ts";
import type { Command } from "./command.ts";
import { decide } from "./decide.ts";
import { newlyOwed } from "./owed.ts";

type RecordCommand = Extract<Command, { kind: "record" }>;

/**
 * The end of a plan that follows once decisions about it are recorded, so that it can be recorded with them. It is only valid if
 * nothing else is stored about the plan before them.
 *
 * @param decisions - In the order in which they will be recorded.
 * @returns Undefined if the plan does not end, or its end must first be recorded in another plan.
 */
export function decideAhead(plan: KnownPlan, decisions: readonly RecordCommand[]): RecordCommand | undefined {
  // A plan ends when its answer is given, and not after any other decision.
  if (decisions.at(-1)?.event.type !== "answer.given") return undefined;
  let before: Plan = plan;
  let after: Plan = plan;
  for (const { event } of decisions) {
    before = after;
    after = evolve(before, { ...event, at: plan.updatedAt });
    if (!counts(before, after)) return undefined;
  }
  for (const command of decide(after, newlyOwed(before, after))) {
    if (command.kind !== "record" || command.event.type !== "plan.ended") continue;
    return command.before === undefined ? command : undefined;
  }
  return undefined;
}
