/** Executes the commands of `decide`. */
import {
  type Command,
  decideAhead,
  type KnownPlan,
  type PlanEnded,
  type PlanEvent,
  type PlanId,
} from "@planwright/plan";
import {
  appendEvents,
  ConflictError,
  critiqueSubject,
  decisionSubject,
  decisionSubjects,
  draftSubject,
  factsSubject,
  factSubject,
  type Fence,
  FLOW_HEADER,
  joinSubject,
  planSubjects,
  reviewSubject,
  sendOnce,
  stepSubject,
  stopSubject,
  timerSubject,
  unitSubject,
} from "@planwright/shared/bus";
import { renderTraceParent, sendSpan, type Telemetry, TRACEPARENT } from "@planwright/shared/telemetry";
import { spill } from "@planwright/shared/artifacts";
import type { OwnedPlan } from "./owned-plan.ts";
import { storeOnce, type SubPlanDeps, tellSubPlan } from "./tell-sub-plan.ts";

export type DispatchDeps = SubPlanDeps & { readonly telemetry: Telemetry };

/**
 * Resolves once the command has taken effect, even if that was earlier.
 *
 * @throws {ConflictError} When another planner has decided something about the plan that is not known here yet.
 */
export async function executeCommand(deps: DispatchDeps, owned: OwnedPlan, command: Command): Promise<void> {
  switch (command.kind) {
    case "run":
      return sendWork(deps, owned, { ...command, subject: stepSubject(command.work) });
    case "unit":
      return sendWork(deps, owned, { ...command, subject: unitSubject(command.work) });
    case "draft":
      return sendWork(deps, owned, { ...command, subject: draftSubject(command.work) });
    case "join":
      return sendWork(deps, owned, { ...command, subject: joinSubject(command.work) });
    case "process":
      return sendWork(deps, owned, { ...command, subject: factsSubject(command.work) });
    case "review":
      return sendWork(deps, owned, { ...command, subject: reviewSubject(command.work) });
    case "critique":
      return sendWork(deps, owned, { ...command, subject: critiqueSubject(command.work) });
    case "sub-plan":
      return tellSubPlan(deps, command);
    case "stop":
      return deps.bus.connection.publish(stopSubject(owned.plan.planId));
    case "schedule":
      return schedule(deps, owned.plan.planId, command);
    case "record":
      return record(deps, owned, [command]);
    default:
      command satisfies never;
  }
}

type ScheduleCommand = Extract<Command, { kind: "schedule" }>;

type Sending = { readonly id: string; readonly work: object; readonly subject: string };

async function sendWork(deps: DispatchDeps, owned: OwnedPlan, sending: Sending): Promise<void> {
  const { id, work, subject } = sending;
  const { planId, goal } = owned.plan;
  const span = sendSpan(deps.telemetry, goal.trace, {
    // Without ids, for the span's name.
    destination: subject.split(".", 2).join("."),
    subject,
    messageId: id,
    attributes: { "plan.id": planId, ...("stepId" in work ? { "step.id": String(work.stepId) } : {}) },
  });
  const headers = { [TRACEPARENT]: renderTraceParent(span.ids), [FLOW_HEADER]: String(owned.flow) };
  try {
    await sendOnce(deps.publish, subject, { ...work, after: owned.reading.digest }, { id, headers });
  } finally {
    span.end();
  }
}

/** @param options.round - A different value makes the server accept it again. */
export async function scheduleAgain(
  deps: DispatchDeps,
  planId: PlanId,
  { command, round }: { command: ScheduleCommand; round: number },
): Promise<void> {
  await schedule(deps, planId, command, `/again/${round}`);
}

async function schedule(
  { publish }: DispatchDeps,
  planId: PlanId,
  { timer, at, event }: ScheduleCommand,
  suffix = "",
): Promise<void> {
  const fired: PlanEvent = { ...event, at };
  await publish(timerSubject(planId, timer), fired, {
    id: `${event.id}${suffix}`,
    schedule: { at: new Date(at), target: factSubject(fired) },
  });
}

export type RecordCommand = Extract<Command, { kind: "record" }>;

/**
 * Stores the decisions of one turn in order, after those of earlier turns, in one message if possible. Decisions that are being
 * stored, or have been stored but not read back yet, are left out. The end of the plan is stored together with the answer that it
 * follows from, if nothing unknown here has been stored about the plan.
 *
 * @throws {ConflictError} See {@link executeCommand}.
 */
export function record(
  deps: DispatchDeps,
  owned: OwnedPlan,
  commands: readonly RecordCommand[],
): Promise<void> {
  const { unread, plan } = owned;
  const fresh = commands.filter(({ event }) => !unread.has(event.id));
  // While decisions are unread, the events before them may be unread too; the fence of earlier decisions shows that they have not
  // vanished.
  const follows = unread.size === 0 && owned.fence === 0 ? decideAhead(plan, fresh) : undefined;
  const known = { sequence: owned.last, subject: planSubjects(plan.planId) };
  const all = follows === undefined ? fresh : [...fresh, follows];
  for (const { event } of all) unread.add(event.id);
  const forget = (some: readonly RecordCommand[]): void => {
    for (const { event } of some) unread.delete(event.id);
  };
  const store = async (): Promise<void> => {
    if (follows !== undefined) {
      if (await storeDecisions(deps, owned, all, known)) return;
      forget([follows]);
    }
    await storeInTurn(deps, owned, fresh);
  };
  // Even if earlier decisions could not be stored, since these have not been tried.
  owned.recording = owned.recording.then(store).catch((error: unknown) => {
    forget(all);
    throw error;
  });
  return owned.recording;
}

/** @throws {ConflictError} */
async function storeInTurn(
  deps: DispatchDeps,
  owned: OwnedPlan,
  commands: readonly RecordCommand[],
): Promise<void> {
  const { planId } = owned.plan;
  const store = async (some: readonly RecordCommand[]): Promise<void> => {
    const fence = { sequence: owned.fence, subject: decisionSubjects(planId) };
    if (await storeDecisions(deps, owned, some, fence)) return;
    throw new ConflictError(`${fence.subject}: another planner was first`);
  };
  let together: RecordCommand[] = [];
  for (const command of commands) {
    if (command.before !== undefined) {
      await store(together);
      together = [];
      await tellParent(deps, { ...command.before, at: deps.now().toISOString() });
    }
    together.push(command);
  }
  await store(together);
}

/** Returns false if the fence does not match. */
async function storeDecisions(
  deps: DispatchDeps,
  owned: OwnedPlan,
  commands: readonly RecordCommand[],
  fence: Fence,
): Promise<boolean> {
  if (commands.length === 0) return true;
  const at = deps.now().toISOString();
  const after = owned.reading.digest;
  const events = commands.map(({ event }): PlanEvent => ({ ...event, after, at }));
  const stored = await appendEvents(deps.publish, events, { fence, subjectOf: decisionSubject });
  if (stored.status === "lost") return false;
  owned.fence = Math.max(owned.fence, stored.sequence);
  owned.last = Math.max(owned.last, stored.sequence);
  // A repeat of a decision that was already read is not read back again.
  if (stored.sequence <= owned.read) for (const { id } of events) owned.unread.delete(id);
  const end = events.find((event) => event.type === "plan.ended");
  if (end !== undefined && stored.status === "stored") emitWorkflowSpan(deps.telemetry, owned.plan, end);
  return true;
}

/**
 * Stores in a parent's log how its sub-plan ended, unless it is already there. An answer that is too large for an event is first
 * stored among the parent's artifacts.
 */
async function tellParent(deps: SubPlanDeps, end: PlanEvent): Promise<void> {
  if (end.type !== "step.succeeded" || !("value" in end.data.output))
    return void (await storeOnce(deps, end));
  const { planId, data } = end;
  const name = `outputs/${data.stepId}-${data.item}-${data.attempt}.json`;
  const output = await spill(deps.artifacts, end.data.output.value, { planId, name });
  await storeOnce(deps, { ...end, data: { ...data, output } });
}

/**
 * Emits the span of a whole plan. Its id was allocated at submission, so that all other spans can be its children; its times come
 * from the log, so that no process has to keep a span open for a plan's lifetime.
 */
function emitWorkflowSpan(telemetry: Telemetry, plan: KnownPlan, { at, data }: PlanEnded): void {
  const { trace } = plan.goal;
  telemetry.emitSpan({
    ids: trace,
    ...(trace.parentSpanId === undefined ? {} : { parentSpanId: trace.parentSpanId }),
    name: "invoke_workflow planwright",
    startTimeMs: Date.parse(plan.submittedAt),
    endTimeMs: Date.parse(at),
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.agent.name": "planwright",
      "plan.id": plan.planId,
      "plan.revision": plan.revision,
      "plan.outcome": data.outcome,
      "plan.steps": plan.steps.size,
      "gen_ai.usage.input_tokens": plan.usage.inputTokens,
      "gen_ai.usage.output_tokens": plan.usage.outputTokens,
    },
    ...(data.outcome === "failed" ? { error: new Error(data.reason) } : {}),
  });
}
