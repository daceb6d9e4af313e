import type { StoredMsg } from "@nats-io/jetstream";
import { evolve, type KnownPlan, noPlan, type Plan, type PlanId, type StepId } from "@planwright/plan";
import { extractTrace, type TraceParent } from "../../telemetry/trace-parent.ts";
import type { Bus } from "../connect-bus.ts";
import { entriesOf, type LogEntry, type UnknownEntry } from "./log-entry.ts";
import { readNext } from "../read-current.ts";
import { isFlowSubject, planSubjects } from "../subjects/subjects.ts";
import { STREAMS } from "../streams/topology.ts";

const BATCH = 1_000;

export type StoredEvent = LogEntry & {
  /** The span that wrote the entry, if its writer recorded it. */
  readonly trace: TraceParent | undefined;
};

/**
 * Yields the plan's messages that are stored when reading begins, in stream order, whichever replica of a cluster answers.
 *
 * @param options.from - The first stream sequence to read; default all.
 */
export async function* readPlanMessages(
  bus: Bus,
  planId: PlanId,
  options: { readonly from?: number } = {},
): AsyncGenerator<StoredMsg> {
  const filter = planSubjects(planId);
  // To find that no further message exists, the server searches the rest of the stream; a count avoids that.
  let left = await countMessages(bus, filter);
  for (let from = options.from ?? 1; left > 0; ) {
    const batch = Math.min(BATCH, left);
    const messages = await readNext(bus, STREAMS.plans, { seq: from, next_by_subj: filter, batch });
    // Some of the counted messages are before `from`.
    const last = messages.at(-1)?.seq;
    if (last === undefined) return;
    left -= messages.length;
    yield* messages;
    from = last + 1;
  }
}

/**
 * Yields a plan's events in stream order, whether or not the plan counts them. Events of unknown types are skipped.
 *
 * A reader that stops in the middle of a message (see `isLast`) and continues after its sequence misses its other events.
 *
 * @param options.onUnknown - Called for skipped entries, in the same order.
 */
export async function* readPlanEvents(
  bus: Bus,
  planId: PlanId,
  { onUnknown, ...options }: { readonly from?: number; onUnknown?: (entry: UnknownEntry) => void } = {},
): AsyncGenerator<StoredEvent> {
  for await (const message of readPlanMessages(bus, planId, options)) {
    const { seq: sequence, subject, header: headers, time } = message;
    const storedAtMs = time.getTime();
    const trace = extractTrace(headers);
    const json = (): unknown => message.json();
    for (const entry of entriesOf({ sequence, subject, storedAtMs, headers, json })) {
      if ("event" in entry) yield { ...entry, trace };
      else onUnknown?.(entry);
    }
  }
}

/**
 * Reads a plan's log and folds it. Undefined when the log has no such plan, or no longer has it.
 *
 * @param note - Called in order for every entry, including unknown ones, because the server counts them too.
 */
export async function readPlan(
  bus: Bus,
  planId: PlanId,
  note: (entry: StoredEvent | UnknownEntry) => void = () => undefined,
): Promise<KnownPlan | undefined> {
  let plan: Plan = noPlan;
  for await (const stored of readPlanEvents(bus, planId, { onUnknown: note })) {
    plan = evolve(plan, stored.event);
    note(stored);
  }
  return plan.status === "absent" ? undefined : plan;
}

export type PlanLog = {
  readonly plan: KnownPlan | undefined;
  /** The last sequence on the plan's flow subjects; 0 when there is none. */
  readonly flow: number;
  /** The spans of its steps, as far as they are known. */
  readonly stepSpans: ReadonlyMap<StepId, TraceParent>;
};

/** Like {@link readPlan}, with data that the fold does not keep. */
export async function readPlanLog(bus: Bus, planId: PlanId): Promise<PlanLog> {
  let flow = 0;
  const stepSpans = new Map<StepId, TraceParent>();
  const plan = await readPlan(bus, planId, (entry) => {
    if (isFlowSubject(entry.subject)) flow = entry.sequence;
    if (!("event" in entry) || entry.trace === undefined) return;
    const { event, trace } = entry;
    if (event.type === "step.succeeded" || event.type === "step.failed")
      stepSpans.set(event.data.stepId, trace);
  });
  return { plan, flow, stepSpans };
}

async function countMessages(bus: Bus, filter: string): Promise<number> {
  const { state } = await bus.manager.streams.info(STREAMS.plans, { subjects_filter: filter });
  return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
}
