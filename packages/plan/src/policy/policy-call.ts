/** Calls as a policy judges them: with their arguments, and where these come from, as far as the plan knows both. */
import { knownArguments } from "../resolve-arguments.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../state/plan-state.ts";
import type { Provenance } from "./gate-policy.ts";
import type { PolicyCall } from "./match-rules.ts";
import { provenanceOf, provenanceOfUndo } from "./provenance.ts";

/** The call of a step, or of one of its items. Of a plan without a policy, which nobody judges, only its tool. */
export function callOfStep(
  plan: KnownPlan,
  { step, item, draft }: Pick<StepEntry, "step" | "item" | "draft">,
): PolicyCall {
  const { tool } = step;
  if (plan.goal.policy === undefined) return { tool };
  const from = judgedOrigin(plan, () => provenanceOf(plan, { step, draft }));
  return { tool, args: knownArguments(plan, step, item?.value), from };
}

/** The call of what undoes a step. */
export function callOfUndo(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate">,
): PolicyCall {
  const { compensate } = entry;
  const from = judgedOrigin(plan, () => provenanceOfUndo(plan, entry));
  return { tool: compensate.tool, args: knownArguments(plan, compensate), from };
}

/** Not worked out where no rule asks for it. */
function judgedOrigin({ goal }: KnownPlan, trace: () => Provenance): Provenance | undefined {
  return goal.policy?.rules.some(({ from }) => from !== undefined) === true ? trace() : undefined;
}
