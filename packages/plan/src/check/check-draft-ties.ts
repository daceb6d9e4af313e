import type { Issue } from "../events/values.ts";
import type { StepId } from "../values/ids.ts";
import type { Step } from "../language/plan-language.ts";
import { isTied } from "../language/wait-graph.ts";
import { noteCycles } from "./check-cycles.ts";
import { checkVerifies } from "./check-ties.ts";
import { quote } from "./describe-value.ts";
import { IssueList } from "./issue-list.ts";
import type { StepParts } from "./read-step.ts";

/** What a draft has said so far of steps that are tied to each other. */
export type DraftTies = {
  /** The draft's steps, under its own ids. */
  readonly steps: readonly Step[];
  /** By the step that is named as a fallback, the one that names it. */
  readonly fallbacks: ReadonlyMap<StepId, StepId>;
};

const NO_TIES: DraftTies = { steps: [], fallbacks: new Map() };

/**
 * Notes what is wrong with the ties of a step of a draft that is still being written.
 *
 * Its fallback is planned after it: a step that was planned before may have begun. Costs as much as the draft is long,
 * for tied steps only.
 */
export function checkDraftTies(
  parts: StepParts,
  planned: ReadonlySet<string>,
  { steps, fallbacks }: DraftTies = NO_TIES,
  issues: IssueList,
): void {
  const { id, fallback, place } = parts;
  const isStandIn = id !== undefined && fallbacks.has(id);
  if (!isTied(parts) && !isStandIn) return;
  if (fallback !== undefined && (fallback === id || planned.has(fallback))) {
    issues.addToStep("unknown_fallback", place, () => ({
      field: "fallback",
      message: `wanted a step that is planned after this one, got ${quote(fallback)}`,
    }));
  } else if (fallback !== undefined && fallbacks.has(fallback)) {
    issues.addToStep("shared_fallback", place, () => ({
      field: "fallback",
      message: `wanted a step that no other step has as its fallback, got ${quote(fallback)}, which is that of ${quote(String(fallbacks.get(fallback)))}`,
    }));
  }
  const all = [...steps.map(partsOf), parts];
  const byId = new Map(all.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])));
  const verifiers = new Map([...byId].filter(([, { verifies }]) => verifies !== undefined));
  const primaries = new Map(
    [...fallbacks].flatMap(([standIn, primary]) => {
      const one = byId.get(primary);
      return one === undefined ? [] : [[standIn, one] as const];
    }),
  );
  checkVerifies(parts, { verifiers, primaries, issues });
  const ids = new Map(all.map((one, index) => [String(one.id), index]));
  noteCycles(all, ids, issues);
}

/** The fallbacks that a complete draft has named and not planned. */
export function issuesOfTies({ steps }: DraftTies): readonly Issue[] {
  const issues = new IssueList();
  const ids = new Set(steps.map(({ id }) => id));
  for (const step of steps) {
    const { fallback } = step;
    if (fallback === undefined || ids.has(fallback)) continue;
    issues.addToStep("unknown_fallback", partsOf(step).place, () => ({
      field: "fallback",
      message: `wanted a step of this plan, got ${quote(fallback)}, which it does not have`,
    }));
  }
  return issues.toArray();
}

function partsOf(step: Step): StepParts {
  const { id, tool, agent, args, dependsOn, when, forEach, verifies, fallback } = step;
  const place = { stepId: id, path: id };
  return { place, id, tool, agent, args, dependsOn, when, forEach, verifies, fallback };
}
