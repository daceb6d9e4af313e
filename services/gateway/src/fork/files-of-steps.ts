import type { ArtifactRef, PlanId, StepId } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";

const PAGE = 1_000;

/** The files that each of the steps has written, from the plan's log. */
export async function filesOfSteps(
  book: Pick<PlanBook, "page">,
  planId: PlanId,
  stepIds: ReadonlySet<StepId>,
): Promise<ReadonlyMap<StepId, readonly ArtifactRef[]>> {
  const files = new Map<StepId, ArtifactRef[]>();
  for (let after = 0; ; ) {
    const { facts, more } = await book.page({ planId, after, limit: PAGE });
    for (const { event } of facts) {
      if (event.type === "goal.submitted") {
        for (const { step, artifacts } of event.data.carried ?? []) add(step.id, artifacts);
      } else if (event.type === "step.succeeded" && event.data.undo === undefined) {
        add(event.data.stepId, event.data.artifacts);
      }
    }
    const last = facts.at(-1);
    if (!more || last === undefined) return files;
    after = last.seq;
  }

  function add(stepId: StepId, artifacts: readonly ArtifactRef[]): void {
    if (stepIds.has(stepId) && artifacts.length > 0)
      files.set(stepId, [...(files.get(stepId) ?? []), ...artifacts]);
  }
}
