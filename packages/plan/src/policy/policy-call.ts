/** Calls in the form that a policy evaluates: with their arguments and the origin of these, as far as the plan knows both. */
import { composedUrls } from "../egress/composed-urls.ts";
import type { ComposedUrl } from "../egress/egress-rule.ts";
import { reachesOut } from "../egress/url-arguments.ts";
import type { JsonObject } from "../values/json.ts";
import { knownArguments } from "../arguments/resolve-arguments.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../machine/plan-state.ts";
import type { Provenance } from "./gate-policy.ts";
import type { PolicyCall } from "./match-rules.ts";
import {
  type CalledTool,
  earlierTools,
  type PlannedStep,
  provenanceOf,
  provenanceOfCall,
  provenanceOfUndo,
  traceArguments,
  type Written,
  writtenStep,
  writtenUndo,
} from "./provenance.ts";

/** Returns the call of a step, or of one of its items. If no policy applies to the call, it contains only the tool. */
export function callOfStep(
  plan: KnownPlan,
  entry: PlannedStep & Pick<StepEntry, "item" | "grant">,
): PolicyCall {
  const { step, item, grant } = entry;
  const { tool } = step;
  const reaches = mayCompose(plan, tool) && grant.light !== true;
  if (plan.goal.policy === undefined && !reaches) return { tool };
  const args = knownArguments(plan, step, item?.value);
  return {
    tool,
    args,
    from: judgedOrigin(plan, () => provenanceOf(plan, entry)),
    ...(reaches ? { composed: composedOf(plan, { tool, args, written: writtenStep(entry) }) } : {}),
  };
}

/** The call of a step's compensation. */
export function callOfUndo(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate">,
): PolicyCall {
  const { compensate } = entry;
  const { tool } = compensate;
  const args = knownArguments(plan, compensate);
  const written = writtenUndo(plan, entry);
  return {
    tool,
    args,
    from: judgedOrigin(plan, () => provenanceOfUndo(plan, entry)),
    ...(mayCompose(plan, tool) ? { composed: composedOf(plan, { tool, args, written }) } : {}),
  };
}

/** Whether a model composed a URL in the resolved arguments of a step's compensation. */
export function composesUndo(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate">,
  args: JsonObject,
): boolean {
  const { tool } = entry.compensate;
  return composedOf(plan, { tool, args, written: writtenUndo(plan, entry) }).length > 0;
}

/** A call that a loop requests in a turn; `called` lists calls that may not be in the plan's log yet. */
export type LoopCall = Pick<PolicyCall, "tool" | "args"> & {
  readonly turn: number;
  readonly called?: readonly CalledTool[] | undefined;
};

/** The call of a loop in a step. */
export function callOfLoop(
  plan: KnownPlan,
  run: PlannedStep & Pick<StepEntry, "turns">,
  { tool, args, turn, called = [] }: LoopCall,
): PolicyCall {
  const loop = { run, turn };
  const trace = () => traceArguments(plan, writtenStep(run), earlierTools(run, { turn, called }));
  const composed = mayCompose(plan, tool) ? composedUrls(plan, { tool, args, trace, loop }) : [];
  return { tool, args, from: provenanceOfCall(plan, run, { turn, called }), composed };
}

function mayCompose({ goal }: KnownPlan, tool: string): boolean {
  return goal.egress.composedUrls !== "allow" && reachesOut(tool);
}

function composedOf(
  plan: KnownPlan,
  { tool, args, written }: Pick<PolicyCall, "tool" | "args"> & { readonly written: Written },
): readonly ComposedUrl[] {
  const trace = () => traceArguments(plan, written);
  return composedUrls(plan, { tool, args, trace, written });
}

/** Skips the computation if no rule needs it. */
function judgedOrigin({ goal }: KnownPlan, trace: () => Provenance): Provenance | undefined {
  return goal.policy?.rules.some(({ from }) => from !== undefined) === true ? trace() : undefined;
}
