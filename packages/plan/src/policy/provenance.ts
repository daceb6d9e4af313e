/**
 * The origin of a call's arguments: the tools whose outputs have reached them.
 *
 * PROVENANCE-1. The origin is complete: it includes every output that a reference leads to, through any number of steps, that
 *     a model had read when it wrote the step, or that is part of a sub-plan's goal.
 * PROVENANCE-2. It follows from the plan alone.
 */
import { AGENT_REACT, PLAN_RUN } from "../language/tool-names.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import type { StepId } from "../values/ids.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { findReferences } from "../language/references.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../machine/plan-state.ts";
import type { Provenance } from "./gate-policy.ts";

export const NOTHING: Provenance = { tools: [], isOpen: false };

/** Arguments as planned: of a step, of its items, or of its compensation. */
export type Written = {
  readonly args: JsonObject;
  readonly forEach?: Json | undefined;
} & Pick<StepEntry, "draft" | "plannedSeq">;

/** A step, and when it was written. */
export type PlannedStep = Pick<StepEntry, "step" | "draft" | "plannedSeq">;

/** The arguments of a step, or of its loop, as planned. */
export function writtenStep({ step, draft, plannedSeq }: PlannedStep): Written {
  return { args: step.args, forEach: step.forEach, draft, plannedSeq };
}

/** The arguments of a step's compensation, as planned. */
export function writtenUndo(
  { steps }: KnownPlan,
  { stepId, compensate }: Pick<CompensationEntry, "stepId" | "compensate">,
): Written {
  const { draft = 0, plannedSeq = 0 } = steps.get(stepId) ?? {};
  return { args: compensate.args, draft, plannedSeq };
}

/** Returns the origin of the arguments of a step, or of one of its items. Takes O(preceding steps and references) time. */
export function provenanceOf(plan: KnownPlan, entry: PlannedStep): Provenance {
  return traced(plan, writtenStep(entry));
}

/** The same for a step's compensation, which can also refer to the step's own output. */
export function provenanceOfUndo(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate">,
): Provenance {
  return traced(plan, writtenUndo(plan, entry));
}

/**
 * Returns the origin of a fork's plan as a whole: the content that models had read when they revised the plan. Undefined if no
 * model revised it, so that each step has its own origin.
 */
export function provenanceOfFork(plan: KnownPlan): Provenance | undefined {
  const revised = [...plan.steps.values()].filter(
    ({ draft }) => draft > 1 || plan.goal.derivedFrom !== undefined,
  );
  if (revised.length === 0) return undefined;
  const all = revised.map((entry) => provenanceOf(plan, entry));
  const tools = [...new Set(all.flatMap((one) => one.tools))].toSorted();
  return { tools, isOpen: all.some(({ isOpen }) => isOpen) };
}

/** The origin as an event field; left out if it is empty. */
export function argumentsFrom(provenance: Provenance): { readonly argumentsFrom?: Provenance } {
  return provenance.tools.length === 0 && !provenance.isOpen ? {} : { argumentsFrom: provenance };
}

/** A call of a loop, and the turn that made it. */
export type CalledTool = { readonly turn: number; readonly tool?: string | undefined };

/**
 * The same for a call inside a loop, whose model, or program, has read the results of its earlier turns.
 *
 * @param made.turn - The call's own: other calls of the same turn were requested before any of them had returned.
 * @param made.called - Calls that may not be in the plan's log yet.
 */
export function provenanceOfCall(
  plan: KnownPlan,
  run: PlannedStep & Pick<StepEntry, "turns">,
  { turn, called = [] }: { readonly turn: number; readonly called?: readonly CalledTool[] },
): Provenance {
  return traced(plan, writtenStep(run), earlierTools(run, { turn, called }));
}

/** The tools of the calls that a loop made before a turn. */
export function earlierTools(
  { turns = [] }: Pick<StepEntry, "turns">,
  { turn, called = [] }: { readonly turn: number; readonly called?: readonly CalledTool[] },
): string[] {
  const earlier: readonly CalledTool[] = [...turns, ...called].filter((one) => one.turn < turn);
  return earlier.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
}

function traced(plan: KnownPlan, written: Written, called: readonly string[] = []): Provenance {
  const { tools, isOpen } = traceArguments(plan, written, called);
  return { tools, isOpen };
}

/** The origin of arguments, and the steps whose outputs have reached them. */
export type Trace = Provenance & { readonly steps: ReadonlySet<StepId> };

/** Returns the origin of written arguments, with the steps whose outputs have reached them. */
export function traceArguments(plan: KnownPlan, first: Written, called: readonly string[] = []): Trace {
  const { derivedFrom = NOTHING } = plan.goal;
  const tools = new Set<string>([...called, ...derivedFrom.tools]);
  let { isOpen } = derivedFrom;
  const seen = new Set<StepId>();
  const pending: Written[] = [first];
  let readUntil = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const from = referredBy(next);
    // The model that revised the plan had read the results of its steps by then.
    if (next.draft > 0 && next.plannedSeq > readUntil) {
      from.push(...resultsBefore(plan, next));
      readUntil = next.plannedSeq;
    }
    for (const stepId of from) {
      const entry = plan.steps.get(stepId);
      if (entry === undefined || seen.has(stepId)) continue;
      seen.add(stepId);
      const { step } = entry;
      tools.add(step.tool);
      for (const tool of calledBy(step)) tools.add(tool);
      isOpen ||= step.tool === PLAN_RUN || !namesItsTools(step);
      const written = writtenStep(entry);
      pending.push(written);
      // The output of a fallback may have replaced the step's.
      if (step.fallback !== undefined) {
        pending.push({ ...written, args: { $ref: `${step.fallback}.output` }, forEach: undefined });
      }
    }
  }
  return { tools: [...tools].toSorted(), isOpen, steps: seen };
}

function referredBy({ args, forEach }: Written): StepId[] {
  const lists: JsonObject = forEach === undefined ? {} : { forEach };
  const inside = findReferences(args, { forEach }).references;
  const list = findReferences(lists).references;
  return [...inside, ...list].map(({ stepId }) => stepId);
}

/** The steps of earlier drafts that had a result when the step was written. */
function resultsBefore({ steps }: KnownPlan, { draft, plannedSeq }: Written): StepId[] {
  return [...steps.values()]
    .filter((entry) => entry.draft < draft && entry.resultSeq !== undefined && entry.resultSeq < plannedSeq)
    .map(({ step }) => step.id);
}

/** The tools that a loop or a program can call. */
function calledBy({ tool, args }: { readonly tool: string; readonly args: JsonObject }): string[] {
  if (tool !== AGENT_REACT && tool !== CODE_RUN) return [];
  const { tools } = args;
  return Array.isArray(tools) ? tools.filter((name) => typeof name === "string") : [];
}

function namesItsTools({ tool, args }: { readonly tool: string; readonly args: JsonObject }): boolean {
  if (tool !== AGENT_REACT && tool !== CODE_RUN) return true;
  const { tools = [] } = args;
  return Array.isArray(tools) && tools.every((name) => typeof name === "string");
}
