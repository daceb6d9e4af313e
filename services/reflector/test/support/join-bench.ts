/** A real nats-server, a scripted model and the reflector; the test plays planner, executor and dispatcher. */
import { BARE_GOAL } from "@planwright/plan/testing";
import {
  decide,
  GoalSubmitted,
  type KnownPlan,
  PlanEvent,
  PlanId,
  type Step,
  type StepOutput,
} from "@planwright/plan";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  connectBus,
  createPublish,
  critiqueSubject,
  factsSubject,
  joinSubject,
  provision,
} from "@planwright/shared/bus";
import { watchWork } from "@planwright/shared/jobs";
import { createModelClient } from "@planwright/shared/model";
import { startAckRenewal } from "@planwright/shared/queue";
import { createLogger } from "@planwright/shared/service";
import { noTelemetry, type Telemetry } from "@planwright/shared/telemetry";
import { type ModelScript, openPlanLog, startNats, startScriptedModel } from "@planwright/testkit";
import { expect } from "vitest";
import type { z } from "zod";
import { startReflector } from "../../src/index.ts";

export const log = createLogger({ name: "test", level: "silent" });
export const TRACE = { traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: true };
const at = "2026-01-01T00:00:00.000Z";
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };

/** The outcome of a step: its output, or its error message. */
export type Fate = { readonly output: StepOutput } | { readonly fails: string };

const NOTHING: Fate = { output: { value: "nothing" } };

export async function startJoinBench(script: ModelScript) {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const model = stack.use(await startScriptedModel(script));
  const bus = stack.use(await connectBus({ url: nats.url, name: "test" }));
  await provision(bus);
  const publish = createPublish(bus);
  const artifacts = createArtifactStore(bus);
  const owned = stack.move();

  const { put, plan, events } = openPlanLog(bus);
  const outcomes = async (planId: PlanId): Promise<PlanEvent[]> =>
    (await events(planId)).filter(({ type }) => type === "answer.given" || type === "revision.requested");

  return {
    nats,
    bus,
    publish,
    model,
    artifacts,
    plan,
    events,
    outcomes,

    async reflector(workerId = "reflector-1", { telemetry = noTelemetry }: { telemetry?: Telemetry } = {}) {
      await using own = new AsyncDisposableStack();
      const ownBus = own.use(await connectBus({ url: nats.url, name: workerId }));
      const renewal = own.use(await startAckRenewal({ url: nats.url, count: 8, log }));
      const client = createModelClient({
        baseUrl: model.url,
        apiKey: undefined,
        model: "scripted",
        role: "reflector",
        limits: { triesMax: 1 },
        telemetry,
      });
      own.use(
        await startReflector({
          bus: ownBus,
          publish: createPublish(ownBus),
          renewal,
          artifacts: createArtifactStore(ownBus),
          model: client,
          telemetry,
          workerId,
          concurrency: 4,
          now: () => new Date(),
          log,
        }),
      );
      const all = own.move();
      return { bus: ownBus, renewal, [Symbol.asyncDispose]: () => all.disposeAsync() };
    },

    /** Abandons dead-lettered work without calling a model. */
    async giver() {
      const unused = { complete: () => Promise.reject(new Error("wanted no call")) };
      const stops = watchWork(bus, log);
      const common = { bus, publish, artifacts, stops, telemetry: noTelemetry, workerId: "giver", log };
      return { ...common, model: unused, now: () => new Date(at) };
    },

    /** Returns a plan whose steps have all ended, in the given order: submitted, or drafted if it names `answerFrom`. */
    async settled(
      id: string,
      fates: Readonly<Record<string, Fate>>,
      {
        steps = {},
        answerFrom,
        ...goal
      }: Partial<z.input<typeof GoalSubmitted>["data"]> & {
        steps?: Readonly<Record<string, Partial<z.input<typeof Step>>>>;
        /** The step that provides the answer; set for a plan drafted by a model. */
        answerFrom?: string;
      } = {},
    ): Promise<PlanId> {
      const planId = PlanId.parse(id);
      // A plan that leads up to one step is answered by that step, without a synthesis.
      const all: Readonly<Record<string, Fate>> = { ...fates, other: fates["other"] ?? NOTHING };
      const planned = Object.keys(all).map((stepId) => ({
        id: stepId,
        description: `find ${stepId}`,
        tool: "flow.echo",
        ...steps[stepId],
      }));
      const data = {
        ...BARE_GOAL,
        trace: TRACE,
        goal: "what do a and b say?",
        tenant: "t",
        plan: answerFrom === undefined ? { steps: planned } : undefined,
        grants: { "flow.echo": grant },
        ...goal,
      };
      await put(GoalSubmitted.parse({ id: `${id}/submitted`, type: "goal.submitted", planId, at, data }));
      for (const drafted of answerFrom === undefined ? [] : draftOf(planned, answerFrom))
        await put(PlanEvent.parse({ id: `${id}/${drafted.name}`, planId, at, ...drafted }));
      for (const [stepId, fate] of Object.entries(all)) {
        const run = { stepId, item: 0, attempt: 1, workerId: "w", startedAt: at, durationMs: 1 };
        const event =
          "output" in fate
            ? { type: "step.succeeded", data: { ...run, output: fate.output } }
            : {
                type: "step.failed",
                data: { ...run, error: { code: "broken", message: fate.fails }, retryable: false },
              };
        const headers = { traceparent: `00-${TRACE.traceId}-${"3".repeat(16)}-01` };
        await put(PlanEvent.parse({ id: `${id}/${stepId}`, planId, at, ...event }), headers);
      }
      return planId;
    },

    tell: (planId: PlanId, type: PlanEvent["type"], data: object): Promise<string> =>
      put(PlanEvent.parse({ id: `${planId}/${type}`, type, planId, at, data })),

    /** Sends the synthesis, the review or the extractions that the plan waits for, like the dispatcher. */
    async dispatch(planId: PlanId): Promise<void> {
      const known = await plan(planId);
      for (const command of decide(known)) {
        if (command.kind === "join")
          await publish(joinSubject(command.work), command.work, { id: command.id });
        if (command.kind === "critique")
          await publish(critiqueSubject(command.work), command.work, { id: command.id });
        if (command.kind === "process")
          await publish(factsSubject(command.work), command.work, { id: command.id });
      }
    },

    /** Waits until the plan's synthesis has an outcome, and returns it. */
    async outcome(planId: PlanId) {
      await expect.poll(async () => (await outcomes(planId)).length).toBe(1);
      const [event] = await outcomes(planId);
      if (event?.type !== "answer.given" && event?.type !== "revision.requested")
        throw new Error("the outcome has gone");
      return event;
    },

    /** The recorded facts of a step's output. */
    async recorded(planId: PlanId, stepId: string) {
      for (const event of await events(planId)) {
        if (event.type === "fact.recorded" && event.data.stepId === stepId) return event;
      }
      throw new Error(`nobody has looked at the output of ${stepId}`);
    },

    /** Number of extractions queued or in progress. */
    waitingLooks: async (): Promise<number> => {
      const { num_ack_pending, num_pending } = await bus.manager.consumers.info("WORK", "processor");
      return num_ack_pending + num_pending;
    },

    /** Waits until all extractions have ended. */
    async looked(planId: PlanId): Promise<KnownPlan> {
      await expect.poll(async () => (await plan(planId)).knowledge.processing.size).toBe(0);
      return plan(planId);
    },

    /** Number of syntheses queued or in progress. */
    waiting: async (): Promise<number> => {
      const { num_ack_pending, num_pending } = await bus.manager.consumers.info("WORK", "reflector");
      return num_ack_pending + num_pending;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The events of a plan's first draft. */
function draftOf(steps: readonly object[], answerFrom: string) {
  const usage = { modelCalls: 1, inputTokens: 10, outputTokens: 2, costUsd: 0.5 };
  const open = { draft: 1, strategy: "parallel", strategyReason: "r", workerId: "w", seen: 1, tools: [] };
  return [
    { name: "draft", type: "draft.started", data: open },
    ...steps.map((step, index) => {
      return { name: `planned-${index}`, type: "step.planned", data: { draft: 1, index, step, grant } };
    }),
    { name: "sealed", type: "plan.sealed", data: { draft: 1, steps: steps.length, answerFrom, usage } },
  ];
}
