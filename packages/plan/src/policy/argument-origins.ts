/** The origin of each argument of a call: its author, and the content that the author had read by then. */
import type { ArgumentOrigin } from "../events/approval-events.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import { hasContent, hasPrivateContent } from "../egress/content-tools.ts";
import type { JsonObject } from "../values/json.ts";
import { findReferences } from "../language/references.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../machine/plan-state.ts";
import type { Provenance } from "./gate-policy.ts";
import {
  type PlannedStep,
  provenanceOfCall,
  traceArguments,
  type Written,
  writtenStep,
  writtenUndo,
} from "./provenance.ts";
import { ORIGINS_SHOWN_MAX } from "../values/limits.ts";

/** Whether a step of a submitted plan was written by the user: the plans of forks and sub-plans may be a model's. */
export function isByUser({ goal }: KnownPlan, { draft }: Pick<Written, "draft">): boolean {
  return draft === 0 && goal.parent === undefined && goal.fork === undefined && goal.undoes === undefined;
}

/** The origins for a step, or one of its items. */
export function originsOfStep(plan: KnownPlan, entry: PlannedStep): ArgumentOrigin[] {
  return originsOf(plan, writtenStep(entry));
}

/** The origins for a step's compensation. */
export function originsOfUndo(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate">,
): ArgumentOrigin[] {
  return originsOf(plan, writtenUndo(plan, entry));
}

/** The origins for a call in a loop: its model, or its program, wrote all arguments together. */
export function originsOfLoop(
  plan: KnownPlan,
  run: PlannedStep & Pick<StepEntry, "turns">,
  { args, turn }: { readonly args: JsonObject; readonly turn: number },
): ArgumentOrigin[] {
  const author = run.step.tool === CODE_RUN ? authorOf(plan, run) : "model";
  const from = provenanceOfCall(plan, run, { turn });
  return names(args).map((argument) => ({ argument, author, ...reached(from) }));
}

function originsOf(plan: KnownPlan, written: Written): ArgumentOrigin[] {
  const { args, forEach } = written;
  return names(args).map((argument) => {
    const own = { [argument]: args[argument] ?? null };
    const usesItem = findReferences(own, { forEach }).items.length > 0;
    const from = traceArguments(plan, { ...written, args: own, forEach: usesItem ? forEach : undefined });
    return { argument, author: authorOf(plan, written), ...reached(from) };
  });
}

function names(args: JsonObject): string[] {
  return Object.keys(args).slice(0, ORIGINS_SHOWN_MAX);
}

function authorOf(plan: KnownPlan, written: Pick<Written, "draft">): ArgumentOrigin["author"] {
  if (isByUser(plan, written)) return "user";
  return written.draft === 0 ? "plan" : "model";
}

function reached(from: Provenance): Pick<ArgumentOrigin, "tools" | "content"> {
  const { tools } = from;
  return {
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...(hasContent(from) ? { content: hasPrivateContent(from) ? "private" : "web" } : {}),
  };
}
