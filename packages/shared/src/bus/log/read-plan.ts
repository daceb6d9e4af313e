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
  /** The span that wrote it, when its writer said so. */
  readonly trace: TraceParent | undefined;
};

/**
 * A plan's messages in stream order, as many as are stored when reading begins, whichever replica of a cluster answers.
 *
 * @param options.from - The first stream sequence wanted; default all.
 */
export async function* readPlanMessages(
  bus: Bus,
  planId: PlanId,
  options: { readonly from?: number } = {},
): AsyncGenerator<StoredMsg> {
  const filter = planSubjects(planId);
  // To find that there is no further one, the server looks through the rest of the stream: counted, it need not.
  let left = await countMessages(bus, filter);
  for (let from = options.from ?? 1; left > 0; ) {
    const batch = Math.min(BATCH, left);
    const messages = await readNext(bus, STREAMS.plans, { seq: from, next_by_subj: filter, batch });
    // Some were counted that are before `from`.
    const last = messages.at(-1)?.seq;
    if (last === undefined) return;
    left -= messages.length;
    yield* messages;
    from = last + 1;
  }
}

/**
 * A plan's facts in stream order, whether or not the plan counts them. Facts of unknown types are left out.
 *
 * Who stops reading in the middle of a message (see `isLast`) and continues after its sequence misses its other facts.
 *
 * @param options.onUnknown - Called in the same order with what is left out.
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
 * Reads a plan's log and folds it. Undefined when the log does not know the plan, or not any more.
 *
 * @param note - Called in order with every entry, also with what this version does not know: the server counts it all the same.
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
  /** The spans that ran its steps, as far as they are known. */
  readonly stepSpans: ReadonlyMap<StepId, TraceParent>;
};

/** As {@link readPlan}, with what the fold does not keep. */
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
