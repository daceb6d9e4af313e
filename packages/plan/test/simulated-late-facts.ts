/** Events that arrive too late, or twice with different content. */
import { type Allowance, wholeOf } from "../src/language/budget.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { StepId } from "../src/values/ids.ts";
import type { KnownPlan } from "../src/machine/plan-state.ts";
import type { Choose } from "./budget-invariants.ts";
import {
  abandoned,
  answerGiven,
  approvalDecided,
  cancelRequested,
  deadlineFired,
  failed,
  interrupted,
  planned,
  revisionRequested,
  sealed,
  started,
  succeeded,
  timerFired,
} from "./facts.ts";
import { anyStepId } from "./simulated-ends.ts";

export type LateFactsWorld = {
  readonly truth: () => KnownPlan;
  readonly choose: Choose;
  /** The commanded attempts with their allowances. */
  readonly commanded: ReadonlyMap<string, Allowance | undefined>;
  /** Whether an attempt's tool has ever run. */
  readonly hasRun: (id: string) => boolean;
  /** The number of events so far. */
  readonly seen: number;
};

/** One such event, for an existing step or draft. */
export function lateFact(world: LateFactsWorld): PlanEvent {
  const stepId = anyStepId(world.truth(), world.choose);
  const attempt = world.choose(3) + 1;
  const item =
    world.truth().steps.get(StepId.parse(stepId))?.step.forEach === undefined ? 0 : world.choose(3);
  const { drafting, joining } = world.truth();
  const draft = drafting.number - 1;
  const join = joining.number - 1;
  const facts = [
    () => deadlineFired(Math.max(1, world.truth().rounds)),
    () => timerFired(`retry-${stepId}-${item}-${attempt}`),
    () => approvalDecided(`risk-${stepId}-${item}`, "happened"),
    () => approvalDecided(`unknown-${stepId}-${item}-${attempt}`, "approve"),
  ];
  // An attempt that was never commanded is never reported.
  const id = `p1/${stepId}/${item}/${attempt}`;
  if (world.commanded.has(id)) {
    // A worker that reports for another one does not know how much the other one used.
    const lost = { item, forfeited: wholeOf(world.commanded.get(id) ?? {}) };
    facts.push(
      () => succeeded(stepId, "late", attempt, lost),
      () => failed(stepId, attempt, lost),
      () => interrupted(stepId, attempt, { item }),
    );
  }
  // A start is stored only with permission.
  if (world.hasRun(id)) facts.push(() => started(stepId, attempt, { item }));
  if (draft > 0) {
    facts.push(
      () => planned({ id: `late${world.seen}`, tool: "flow.echo" }, { draft }),
      () => abandoned(draft),
      () => sealed(draft),
    );
  }
  if (join > 0)
    facts.push(
      () => answerGiven(join),
      () => revisionRequested(join),
    );
  return (facts[world.choose(facts.length)] ?? cancelRequested)();
}
