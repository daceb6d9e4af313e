/** A real nats-server, a scripted model, and drafting; the test plays the dispatcher. */
import { BARE_GOAL } from "@planwright/plan/testing";
import { type DraftAbandoned, decide, GoalSubmitted, PlanEvent, PlanId, ToolSpec } from "@planwright/plan";
import {
  BUCKETS,
  connectBus,
  createPublish,
  draftSubject,
  openRegistry,
  provision,
} from "@planwright/shared/bus";
import { createModelClient } from "@planwright/shared/model";
import { startAckRenewal } from "@planwright/shared/queue";
import { createLogger } from "@planwright/shared/service";
import { noTelemetry, type Telemetry } from "@planwright/shared/telemetry";
import { DataSource } from "@planwright/shared/tools";
import { type ModelScript, openPlanLog, startNats, startScriptedModel } from "@planwright/testkit";
import { expect } from "vitest";
import { z } from "zod";
import { startDrafting } from "../../src/handlers/start-drafting.ts";

export const log = createLogger({ name: "test", level: "silent" });
const at = "2026-01-01T00:00:00.000Z";
const TRACE = { traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: true };

const tool = (name: string, input: z.ZodType, more: object = {}) =>
  ToolSpec.parse({
    name,
    description: `${name}, for tests`,
    input: z.toJSONSchema(input),
    output: {},
    risk: "low",
    effect: "read",
    timeoutMs: 10_000,
    ...more,
  });

const TOOLS = [
  tool("flow.echo", z.strictObject({ value: z.unknown() })),
  tool("docs.search", z.strictObject({ query: z.string(), limit: z.int().optional() })),
  tool("model.write", z.strictObject({ prompt: z.string(), context: z.unknown().optional() })),
  tool("files.write", z.strictObject({ path: z.string(), content: z.string() }), { effect: "idempotent" }),
  tool("mail.send", z.strictObject({ to: z.string() }), { effect: "once", risk: "high" }),
];

export async function startDraftBench(script: ModelScript, { tools = TOOLS } = {}) {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const model = stack.use(await startScriptedModel(script));
  const bus = stack.use(await connectBus({ url: nats.url, name: "test" }));
  await provision(bus);
  const publish = createPublish(bus);
  const registry = stack.use(await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log }));
  const sources = stack.use(await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log }));
  await Promise.all(tools.map((spec) => registry.put(spec.name, spec)));
  await registry.until(({ size }) => size === tools.length, AbortSignal.timeout(30_000));
  const owned = stack.move();

  const { put, plan, events } = openPlanLog(bus);
  /** Writes an event of a plan as another part of the system would. */
  const tell = (planId: PlanId, type: PlanEvent["type"], data: object): Promise<string> =>
    put(PlanEvent.parse({ id: `${planId}/${type}/${JSON.stringify(data)}`, type, planId, at, data }));

  return {
    nats,
    bus,
    publish,
    model,
    sources,
    events,
    plan,
    tell,
    types: async (planId: PlanId) => (await events(planId)).map(({ type }) => type),

    /** A planner with its own connection and ack renewals. */
    async planner(
      workerId = "planner-1",
      { telemetry = noTelemetry, triesMax = 1 }: { telemetry?: Telemetry; triesMax?: number } = {},
    ) {
      await using own = new AsyncDisposableStack();
      const ownBus = own.use(await connectBus({ url: nats.url, name: workerId }));
      const renewal = own.use(await startAckRenewal({ url: nats.url, count: 8, log }));
      const client = createModelClient({
        baseUrl: model.url,
        apiKey: undefined,
        model: "scripted",
        role: "planner",
        limits: { triesMax },
        telemetry,
      });
      const drafting = own.use(
        await startDrafting({
          bus: ownBus,
          publish: createPublish(ownBus),
          renewal,
          model: client,
          telemetry,
          tools: registry,
          sources,
          workerId,
          concurrency: 4,
          log,
        }),
      );
      const all = own.move();
      return { bus: ownBus, renewal, drafting, [Symbol.asyncDispose]: () => all.disposeAsync() };
    },

    /** Submits a goal; its plan is not requested before `dispatch`. */
    async submit(id: string, goal: Partial<z.input<typeof GoalSubmitted>["data"]> = {}): Promise<PlanId> {
      const planId = PlanId.parse(id);
      const data = {
        ...BARE_GOAL,
        trace: TRACE,
        goal: "do the thing",
        tenant: "t",
        strategy: "parallel",
        ...goal,
      };
      await put(GoalSubmitted.parse({ id: `${id}/submitted`, type: "goal.submitted", planId, at, data }));
      return planId;
    },

    /** Sends the drafting work that the plan is waiting for, as the dispatcher would. */
    async dispatch(planId: PlanId): Promise<void> {
      const known = await plan(planId);
      for (const command of decide(known)) {
        if (command.kind !== "draft") continue;
        await publish(draftSubject(command.work), command.work, { id: command.id });
      }
    },

    /** Waits until the log contains an end of the plan's draft with that number. */
    async ended(planId: PlanId, draft = 1): Promise<PlanEvent> {
      const ends = ["plan.sealed", "plan.revised", "draft.abandoned"];
      const find = async () =>
        (await events(planId)).find(
          (event) => ends.includes(event.type) && "draft" in event.data && event.data.draft === draft,
        );
      await expect.poll(find).toBeDefined();
      const end = await find();
      if (end === undefined) throw new Error("the end has gone");
      return end;
    },

    /** A finished step of the plan. */
    succeed: (planId: PlanId, stepId: string, value: unknown = "done") =>
      tell(planId, "step.succeeded", { ...worker(stepId), output: { value } }),
    fail: (planId: PlanId, stepId: string) =>
      tell(planId, "step.failed", {
        ...worker(stepId),
        error: { code: "broken", message: "no such page" },
        retryable: false,
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const worker = (stepId: string) => ({
  stepId,
  item: 0,
  attempt: 1,
  workerId: "w",
  startedAt: at,
  durationMs: 1,
});

/** The ids of the steps that one draft plans in a plan's log, in order. */
export function plannedIds(events: readonly PlanEvent[], draft = 1): string[] {
  return events.flatMap((event) =>
    event.type === "step.planned" && event.data.draft === draft ? [event.data.step.id] : [],
  );
}

export function abandonmentIn(event: PlanEvent): DraftAbandoned["data"] {
  if (event.type !== "draft.abandoned") throw new Error(`wanted draft.abandoned, got ${event.type}`);
  return event.data;
}
