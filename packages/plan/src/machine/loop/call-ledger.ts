/** The ledger of the calls inside loops that have effects: one record for each call, whichever attempt made it. */
import type { NextPlan, StepEntry } from "../plan-state.ts";
import { PROGRAM_CALLS_MAX } from "../../arguments/code-run.ts";
import { definedOnly } from "../../values/defined-only.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import type { CallStarted, TurnTaken, TurnStarted } from "../../events/turn-events.ts";
import { openAttempt } from "../step/attempt-transitions.ts";
import type { CallName } from "../../values/call-name.ts";
import { comesNext, isCallNamed } from "./loop-calls.ts";
import { placeRun, runOf } from "../step/runs.ts";
import type { CallRecord } from "../step/step-records.ts";
import type { StepAsked } from "../../events/step-events.ts";

/**
 * Whether a call can begin: it is the next one in a running step, and has not begun before or may be repeated. The
 * ledger records it.
 */
export function beginCall(next: NextPlan, { data }: CallStarted): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running" || entry.state.stopping !== undefined) return false;
  if (!comesNext(entry, data)) return false;
  const known = recordOf(entry, data);
  if (data.leave === undefined) return known === undefined;
  return known?.leave !== data.leave && entry.leave?.approvalId === data.leave;
}

/** Records what the event adds about a call. Returns false if that is nothing new. */
export function noteCall(next: NextPlan, event: PlanEvent): boolean {
  if (!isLoopFact(event)) return false;
  const entry = runOf(next, event.data);
  const record = entry && recordAfter(entry, event);
  if (entry === undefined || record === undefined) return false;
  const others = (entry.calls ?? []).filter((other) => !isCallNamed(other, record));
  placeRun(next, { ...entry, calls: [...others, record] });
  return true;
}

/** Returns the call that has begun and whose outcome is unknown; undefined if there is none. */
export function begunCall(entry: Pick<StepEntry, "turns" | "openTurn" | "calls">): CallRecord | undefined {
  return entry.calls?.find((record) => comesNext(entry, record));
}

function recordOf({ calls }: Pick<StepEntry, "calls">, name: CallName): CallRecord | undefined {
  return calls?.find((record) => isCallNamed(record, name));
}

/** Marks a call as done because a user knows its outcome. */
export function withCallDone(
  entry: StepEntry,
  name: CallName,
  { at, by }: { readonly at: string; readonly by: string },
): StepEntry {
  const done = (record: CallRecord): CallRecord =>
    isCallNamed(record, name) && record.status !== "done" ? { ...record, status: "done", at, by } : record;
  return entry.calls === undefined ? entry : { ...entry, calls: entry.calls.map(done) };
}

/** Returns undefined if the event adds nothing new. A record that is done never changes. */
function recordAfter(entry: StepEntry, event: LoopFact): CallRecord | undefined {
  switch (event.type) {
    case "call.started":
      return recordAtStart(entry, event);
    case "turn.taken":
      return recordAtEnd(entry, event);
    case "turn.started":
      return undefined;
    case "step.asked": {
      const { call } = event.data;
      const known = call.doubt === undefined ? undefined : recordOf(entry, call);
      return known?.status === "started" ? { ...known, status: "unknown", at: event.at } : undefined;
    }
    default:
      return event satisfies never;
  }
}

function recordAtStart(entry: StepEntry, { data, at }: CallStarted): CallRecord | undefined {
  const { turn, call, attempt, thought, tool, args, proposed, effect, leave, workerId: by } = data;
  const known = recordOf(entry, data);
  if (known === undefined) {
    if ((entry.calls?.length ?? 0) >= PROGRAM_CALLS_MAX) return undefined;
    return definedOnly<CallRecord>({
      turn,
      call,
      attempt,
      thought,
      tool,
      args,
      proposed,
      effect,
      leave,
      status: "started",
      at,
      by,
    });
  }
  if (leave === undefined || leave === known.leave) return undefined;
  // An unknown outcome stays unknown: making the call again does not change that.
  return { ...known, attempt, leave, by };
}

/** The failure of a repeated call says nothing about its earlier attempt. */
function recordAtEnd(entry: StepEntry, { data, at }: TurnTaken): CallRecord | undefined {
  const known = recordOf(entry, data);
  if (known === undefined) return undefined;
  const status = data.output !== undefined ? "done" : data.uncertain === true ? "unknown" : "failed";
  const isNews = known.status === "started" || (known.status === "unknown" && status === "done");
  return isNews ? { ...known, attempt: data.attempt, status, at } : undefined;
}

/** Events in which a step that works in a loop reports its progress. */
export type LoopFact = StepAsked | TurnStarted | CallStarted | TurnTaken;

const TYPES: readonly PlanEvent["type"][] = ["turn.taken", "turn.started", "call.started", "step.asked"];

export function isLoopFact(event: PlanEvent): event is LoopFact {
  return TYPES.includes(event.type);
}
