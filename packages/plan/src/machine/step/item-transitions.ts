/**
 * How a step runs for each item of a list: waiting → expanded into items → settled with the list of their results.
 *
 * Each item is a separate run. A few run at a time, and the outcome of one does not affect the others.
 */
import type { NextPlan, StepEntry, StepState } from "../plan-state.ts";
import type { StepExpanded } from "../../events/step-events.ts";
import type { StepOutput } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { Json } from "../../values/json.ts";
import { LIMITS } from "../../values/limits.ts";
import type { ResolvedOutput } from "../../arguments/resolve-references.ts";
import { expansionOf } from "./expansion.ts";
import { itemsOf, putRun, runNamed, setState } from "./runs.ts";
import { isSettled } from "./step-state.ts";
import { offer } from "../links/verification.ts";
import { isGated, isHeldBack, makeReady, settle, dropHeld, hold } from "./step-transitions.ts";
import { isTied, noteEnd } from "../links/ties.ts";

const MESSAGE_CHARS_MAX = 4_000;

type Repeating = Extract<StepState, { status: "repeating" }>;

/** Starts the first items of a step whose list is known. */
export function expand(next: NextPlan, { data, at }: StepExpanded): boolean {
  const entry = next.steps.get(data.stepId);
  const { forEach } = entry?.step ?? {};
  if (entry?.state.status !== "waiting" || entry.state.for !== "items" || forEach === undefined) return false;
  const expansion = expansionOf(next, forEach);
  if ("fault" in expansion || expansion.items.length !== data.items) return false;
  const waiting = { status: "waiting", for: "turn", attempt: 1 } as const;
  const empty = { dependents: [], failedAttempts: [], effects: [], state: waiting };
  const { step, grant, draft, plannedSeq, position, dependencies } = entry;
  const shared = { step, grant, draft, plannedSeq, position, dependencies, unmet: 0, ...empty };
  for (const [index, value] of expansion.items.entries()) putRun(next, { ...shared, item: { index, value } });
  const state: Repeating = {
    status: "repeating",
    items: data.items,
    begun: 0,
    open: 0,
    failed: 0,
    startedAt: at,
  };
  goOnWith(next, { ...entry, state });
  return true;
}

/** Records that a step, or one of its items, has settled. After an item, the next one starts, or the step ends. */
export function settleRun(next: NextPlan, run: StepEntry, settled: StepState): void {
  if (run.item === undefined) conclude(next, run, settled);
  else settle(next, run, settled);
  const entry = run.item === undefined ? undefined : next.steps.get(run.step.id);
  if (entry?.state.status !== "repeating") return;
  const { open, failed } = entry.state;
  const state = { ...entry.state, open: open - 1, failed: failed + (settled.status === "failed" ? 1 : 0) };
  goOnWith(next, { ...entry, state });
}

/** Counts a failed item as open again, because it is retried while the others run. */
export function reopenItem(next: NextPlan, stepId: StepId): void {
  const entry = next.steps.get(stepId);
  if (entry?.state.status !== "repeating") return;
  const { open, failed } = entry.state;
  putRun(next, { ...entry, state: { ...entry.state, open: open + 1, failed: failed - 1 } });
}

/** Recounts the items of steps that still run after some items were cancelled, and continues with the rest. */
export function recountItems(next: NextPlan): void {
  if (next.items.isEmpty()) return;
  for (const entry of next.steps.values()) {
    if (entry.state.status !== "repeating") continue;
    const states = itemsOf(next, entry.step.id).map(({ state }) => state);
    const waiting = states.filter((state) => state.status === "waiting" && state.for === "turn").length;
    const open = states.filter((state) => !isSettled(state)).length - waiting;
    const begun = states.length - waiting;
    if (open === entry.state.open && begun === entry.state.begun) continue;
    goOnWith(next, { ...entry, state: { ...entry.state, open, begun } });
  }
}

/** Called when the plan ends while a step's items run: the step keeps the results so far, as if the other items had failed. */
export function keepItems(next: NextPlan, entry: StepEntry, reason: string): void {
  if (entry.state.status !== "repeating") return;
  const end = endOf(next, { ...entry, state: entry.state });
  if (end.status === "succeeded") {
    settle(next, entry, end);
    return;
  }
  if (isTied(next, entry)) noteEnd(next, entry);
  setState(next, entry, { status: "cancelled", reason });
}

/**
 * Starts the items of steps that were expanded while no work could start, because a revision was requested or the draft
 * is large.
 */
export function beginHeldItems(next: NextPlan): void {
  const repeating = next.held.filter((stepId) => next.steps.get(stepId)?.state.status === "repeating");
  // Those that also have to wait for the next draft are held again.
  dropHeld(next, (stepId) => repeating.includes(stepId));
  for (const stepId of new Set(repeating)) {
    const entry = next.steps.get(stepId);
    if (entry?.state.status === "repeating") goOnWith(next, { ...entry, state: entry.state });
  }
}

/** Starts as many items as capacity allows; settles the step when none is left. */
function goOnWith(next: NextPlan, entry: StepEntry & { readonly state: Repeating }): void {
  const { items, begun, open } = entry.state;
  if (begun === 0 && items > 0 && (isHeldBack(next, entry) || isGated(next, entry.draft))) {
    hold(next, entry.step.id);
    setState(next, entry, entry.state);
    return;
  }
  const last = Math.min(items, begun + LIMITS.itemsAtOnceMax - open);
  const more = Math.max(0, last - begun);
  setState(next, entry, { ...entry.state, begun: begun + more, open: open + more });
  for (let index = begun; index < begun + more; index++) {
    const item = runNamed(next, { stepId: entry.step.id, item: index });
    if (item !== undefined) makeReady(next, item);
  }
  if (open + more === 0) conclude(next, entry, endOf(next, entry));
}

function conclude(next: NextPlan, entry: StepEntry, end: StepState): void {
  if (end.status === "succeeded") offer(next, entry, end);
  else settle(next, entry, end);
}

function endOf(next: NextPlan, { step, state }: StepEntry & { readonly state: Repeating }): StepState {
  const { items, startedAt } = state;
  const endedAt = next.updatedAt;
  const durationMs = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
  const end = { attempt: 1, workerId: "planner", startedAt, endedAt, durationMs };
  const entries = itemsOf(next, step.id);
  const failedItems = entries.filter((one) => one.state.status !== "succeeded").length;
  if (items > 0 && failedItems === items) {
    const message = `none of ${items} items succeeded; the first: ${faultOf(entries[0]?.state).message}`;
    return {
      status: "failed",
      ...end,
      error: { code: "all_items_failed", message: message.slice(0, MESSAGE_CHARS_MAX) },
    };
  }
  const value = entries.map(({ state: one }) => resultOf(one));
  const hasFile = entries.some(({ state: one }) => one.status === "succeeded" && "artifact" in one.output);
  const list = hasFile ? { list: entries.map(({ state: one }) => partOf(one)) } : {};
  const isCut = entries.some(({ state: one }) => one.status === "succeeded" && one.truncated === true);
  const mark = isCut ? { truncated: true as const } : {};
  const part = partOfItems(entries);
  return { status: "succeeded", ...end, output: { value }, failedItems, ...list, ...mark, ...part };
}

/** Counts the items with partial outputs, and says why the first one is incomplete. */
function partOfItems(entries: readonly StepEntry[]): { readonly partial?: string } {
  const parts = entries.flatMap(({ state }) => (state.status === "succeeded" ? (state.partial ?? []) : []));
  if (parts.length === 0) return {};
  const partial = `${parts.length} of its items are incomplete; the first: ${parts[0]}`;
  return { partial: partial.slice(0, MESSAGE_CHARS_MAX) };
}

/** Returns an item's entry in the list of results: its output, a file's description, or its error. */
function resultOf(state: StepState): Json {
  return state.status === "succeeded" ? shown(state.output) : { error: faultOf(state) };
}

/** Returns why a settled item has no output. */
function faultOf(state: StepState | undefined): { code: string; message: string } {
  if (state?.status === "failed") return { code: state.error.code, message: state.error.message };
  return { code: "cancelled", message: state?.status === "cancelled" ? state.reason : "it never ran" };
}

function shown(output: StepOutput): Json {
  if ("value" in output) return output.value;
  const { name, contentType, bytes } = output.artifact;
  return { artifact: name, contentType, bytes, preview: output.preview };
}

function partOf(state: StepState): ResolvedOutput {
  if (state.status !== "succeeded" || "value" in state.output)
    return { kind: "value", value: resultOf(state) };
  const { artifact, lists } = state.output;
  return { kind: "artifact", artifact: artifact.name, lists, shown: shown(state.output) };
}
