import type { NextPlan, Plan, StepEntry } from "../plan-state.ts";
import { followerOf, mayGoOnFrom } from "../../decide/follow-ups.ts";
import { poolOf } from "../../language/pool-of.ts";
import { startedSince } from "../changes.ts";

/** Fewer are sent one by one. */
const READY_MIN = 4;
/** What one worker does in one go: the others are to have something to do too. */
const BUNDLE_MAX = 16;

/**
 * Has light steps that became ready together sent in bundles: of each is noted which step's bundle it is in. Only steps that risk nothing by being run again, and that nothing follows on the same worker.
 */
export function bundleReady(before: Plan, next: NextPlan): void {
  if (next.changes.runs.length < READY_MIN || next.budget !== undefined) return;
  const pools = new Map<string, StepEntry[]>();
  for (const entry of startedSince(before, next)) {
    if (entry.item !== undefined || !mayBeBundled(next, entry)) continue;
    const ready = pools.get(poolOf(entry));
    if (ready === undefined) pools.set(poolOf(entry), [entry]);
    else ready.push(entry);
  }
  for (const ready of pools.values()) if (ready.length >= READY_MIN) bundle(next, ready);
}

function bundle(next: NextPlan, ready: StepEntry[]): void {
  ready.sort((left, right) => left.position - right.position);
  next.steps = next.steps.withMutations((steps) => {
    for (const [index, entry] of ready.entries()) {
      const first = ready[index - (index % BUNDLE_MAX)];
      const isAlone = index % BUNDLE_MAX === 0 && index === ready.length - 1;
      const { state } = entry;
      if (first === undefined || isAlone || state.status !== "running") continue;
      steps.set(entry.step.id, { ...entry, state: { ...state, sentWith: first.step.id } });
    }
  });
}

function mayBeBundled(next: NextPlan, entry: StepEntry): boolean {
  const { state, grant, redriven } = entry;
  if (grant.light !== true || state.status !== "running") return false;
  const isFirst = state.attempt === 1 && state.sentAfter === 0 && redriven === undefined;
  if (!isFirst || state.via !== undefined || !mayGoOnFrom(next, entry)) return false;
  return followerOf(next, entry, poolOf(entry)) === undefined;
}
