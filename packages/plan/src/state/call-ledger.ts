/** What is known of the calls inside loops that change something: one record for each, whichever attempt made it. */
import type { PlanEvent } from "../events/plan-event.ts";
import { type CallStarted, TURNS_MAX, type TurnTaken } from "../events/turn-events.ts";
import { openAttempt } from "./attempt-transitions.ts";
import type { KnownPlan, StepEntry } from "./plan-state.ts";
import { putRun, runOf } from "./runs.ts";
import type { CallRecord } from "./step-records.ts";
import type { NextPlan } from "./step-transitions.ts";

/** Takes in that a call begins, if it is of the turn that comes next of a step that runs. The ledger keeps it. */
export function beginCall(next: NextPlan, { data }: CallStarted): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running" || entry.state.stopping !== undefined) return false;
  return data.turn === (entry.turns?.length ?? 0) + 1 && recordOf(entry, data.turn) === undefined;
}

type Noted = Pick<KnownPlan, "steps" | "items">;

/** The plan's runs with what the fact says of a call; the same ones when that is nothing new. */
export function withCallOf<Plan extends Noted>(plan: Plan, event: PlanEvent): Plan {
  if (event.type !== "call.started" && event.type !== "turn.taken") return plan;
  const entry = runOf(plan, event.data);
  const record = entry && recordAfter(entry, event);
  if (entry === undefined || record === undefined) return plan;
  const { steps, items } = plan;
  const changed = { steps, items };
  const others = (entry.calls ?? []).filter(({ turn }) => turn !== record.turn);
  putRun(changed, { ...entry, calls: [...others, record] });
  return { ...plan, ...changed };
}

/** The call that was begun, and of which nobody knows what became; undefined when there is none. */
export function begunCall({
  turns = [],
  calls = [],
}: Pick<StepEntry, "turns" | "calls">): CallRecord | undefined {
  return calls.find(({ turn }) => turn === turns.length + 1);
}

function recordOf({ calls }: Pick<StepEntry, "calls">, turn: number): CallRecord | undefined {
  return calls?.find((call) => call.turn === turn);
}

/** Undefined when the fact tells nothing new. Nothing replaces what was done. */
function recordAfter(entry: StepEntry, { type, data, at }: CallStarted | TurnTaken): CallRecord | undefined {
  const known = recordOf(entry, data.turn);
  if (type === "call.started") {
    if (known !== undefined || (entry.calls?.length ?? 0) >= TURNS_MAX) return undefined;
    const { turn, attempt, thought, tool, args, effect, workerId: by } = data;
    return { turn, attempt, thought, tool, args, effect, status: "started", at, by };
  }
  const status = data.output !== undefined ? "done" : data.uncertain === true ? "unknown" : "failed";
  if (known === undefined || known.status !== "started") return undefined;
  return { ...known, attempt: data.attempt, status, at };
}
