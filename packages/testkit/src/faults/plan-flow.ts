/**
 * A continuous flow of plans, of every kind that a service handles: drafted and reviewed by a model, submitted, with
 * effects, with a retry, cancelled in the middle, and occasionally poisoned work.
 */
import { setTimeout as delay } from "node:timers/promises";
import { plan } from "@planwright/client";
import type { PlanId } from "@planwright/plan";
import { echo, wait, write } from "@planwright/plan/testing";
import { askAgain, type Bus, createPublish, readPlanEvents, type StoredEvent } from "@planwright/shared/bus";
import { findingsText, judgementText, planPieces } from "../model/scripted-plan.ts";
import { type ModelScript, type ScriptedModel, startScriptedModel } from "../model/start-scripted-model.ts";
import type { EffectCounter } from "../effects/start-effect-counter.ts";
import type { CarefulClient } from "../system/careful-client.ts";
import type { SeenEvent } from "../system/client.ts";
import { brokenPromises } from "./broken-promises.ts";

export type FlowedPlan = {
  readonly planId: PlanId;
  readonly kind: keyof typeof KINDS;
  readonly seen: readonly SeenEvent[];
};

export type PlanFlow = {
  /** Submits plans until the signal aborts, then waits for the end of all of them. */
  run(signal: AbortSignal): Promise<FlowedPlan[]>;
};

type FlowDeps = {
  readonly client: CarefulClient;
  readonly bus: Bus;
  /** Answers the first request of each path with 500. */
  readonly flakyUrl: string;
  /** Counts the `once` effects. */
  readonly effects: Pick<EffectCounter, "url">;
  /** Different for each flow of one system. */
  readonly name: string;
  /** Concurrent plans; default 4. */
  readonly inFlight?: number;
  /** From the end of one plan to the start of its replacement, in milliseconds; default 10. */
  readonly paceMs?: number;
};

/** Concurrent plans; each is replaced when it has ended. */
const IN_FLIGHT = 4;
const PACE_MS = 10;
const FAN = 8;

/** The model's draft for every goal. */
const drafted = [
  echo("first", { value: "A" }),
  wait("second", 30, { dependsOn: ["first"] }),
  echo("third", { value: { $ref: "second.output" } }),
];

type World = Pick<FlowDeps, "flakyUrl" | "effects">;

const KINDS = {
  chain: (number: number) => ({
    goal: `chain ${number}`,
    plan: plan(({ step }) => {
      const first = step("s0", "flow.echo", { value: "end" });
      return ["s1", "s2", "s3", "s4"].reduce(
        (before, id) => step(id, "flow.echo", { value: before.output }),
        first,
      );
    }),
  }),
  fan: (number: number) => ({
    goal: `fan out ${number}`,
    plan: plan(({ step }) => {
      const waits = Array.from({ length: FAN }, (_, place) =>
        step(`w${place}`, "flow.wait", { ms: 10 * place, value: `w${place}` }),
      );
      return step("all", "flow.echo", { value: "{{w0.output}}{{w7.output}}" }, { dependsOn: waits });
    }),
  }),
  drafted: () => ({ goal: "think of something" }),
  judged: () => ({ goal: "think twice", review: { plan: true, answer: true } }),
  reviewed: () => ({
    goal: "have it written well",
    plan: {
      steps: [
        { id: "text", tool: "model.write", args: { prompt: "Write it." }, review: { maxIterations: 2 } },
      ],
      answerFrom: "text",
    },
  }),
  looped: () => ({
    goal: "find out, and note what is found",
    plan: {
      steps: [
        { id: "loop", tool: "agent.react", args: { goal: "Work it out.", tools: ["files.write"] } },
        echo("all", { value: "{{loop.output.result}}" }),
      ],
      answerFrom: "all",
    },
    facts: "all",
  }),
  effects: (number: number) => ({
    goal: `file ${number}`,
    plan: {
      steps: [
        echo("value", { value: number }),
        write("left", { content: "{{value.output}}" }),
        write("right", { content: "{{left.output.path}}" }),
        echo("all", { value: "{{right.output.path}}" }),
      ],
      answerFrom: "all",
    },
  }),
  once: (number: number, { effects }: World) => ({
    goal: `one effect ${number}`,
    plan: {
      steps: [
        {
          id: "act",
          tool: "http.send",
          args: { url: effects.url("plain"), checkUrl: effects.url("check"), body: { number } },
        },
        echo("all", { value: "done", dependsOn: ["act"] }),
      ],
      answerFrom: "all",
    },
    // Without this, every step would wait for approval.
    approval: { risk: "never" },
  }),
  retry: (number: number, { flakyUrl }: World) => ({
    goal: `retry ${number}`,
    plan: {
      steps: [
        { id: "fetch", tool: "http.fetch", args: { url: `${flakyUrl}/${number}` } },
        echo("all", { value: "{{fetch.output.status}}" }),
      ],
      answerFrom: "all",
    },
  }),
  cancelled: (number: number) => ({
    goal: `cancel ${number}`,
    plan: { steps: [wait("long", 3_000), write("never", { content: "x", dependsOn: ["long"] })] },
  }),
} as const;

const ANSWERS: Readonly<Record<keyof typeof KINDS, string | undefined>> = {
  chain: "end",
  fan: "w0w7",
  drafted: "judged",
  judged: "judged",
  reviewed: "written",
  looped: "worked out",
  effects: "right.txt",
  once: "done",
  retry: "200",
  // The cancellation may come too late.
  cancelled: undefined,
};

export function createPlanFlow({
  client,
  bus,
  flakyUrl,
  effects,
  name,
  inFlight = IN_FLIGHT,
  paceMs = PACE_MS,
}: FlowDeps): PlanFlow {
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const publish = createPublish(bus);
  let number = 0;
  const one = async (): Promise<FlowedPlan> => {
    const own = number++;
    const kind = kinds[own % kinds.length] ?? "effects";
    const planId = await client.submit(
      KINDS[kind](own, { flakyUrl: `${flakyUrl}/${name}`, effects }),
      `${name}-${own}`,
    );
    if (kind === "cancelled") {
      const poison = `work.step.default.poison-${name}-${own}`;
      // Poison that cannot be sent does no harm.
      await publish(poison, Buffer.from("{"), { id: poison }).catch(() => undefined);
      await client.cancel(planId);
    }
    return { planId, kind, seen: await client.follow(planId) };
  };
  const lane = async (signal: AbortSignal): Promise<FlowedPlan[]> => {
    const done: FlowedPlan[] = [];
    while (!signal.aborted) {
      done.push(await one());
      await delay(paceMs);
    }
    return done;
  };
  return {
    run: async (signal) => (await Promise.all(Array.from({ length: inFlight }, () => lane(signal)))).flat(),
  };
}

/** Returns the faults of the plans of a flow: broken promises, and wrong answers. */
export async function faultsOf(bus: Bus, plans: readonly FlowedPlan[]): Promise<string[]> {
  const found: string[] = [];
  for (const { planId, kind, seen } of plans) {
    // A request that was sent while the connection was lost is never answered.
    const stored = await askAgain("read a plan", () => Array.fromAsync(readPlanEvents(bus, planId)));
    const broken = brokenPromises({ planId, stored, seen });
    // The faults include the whole log, because the store is gone when they are read.
    if (broken.length > 0)
      found.push(
        ...broken,
        ...stored.map(lineOf),
        ...seen.map(({ seq, event }) => `  told ${seq} ${event.id} of ${event.at}`),
      );
    const answer = stored.find(({ event }) => event.type === "answer.given")?.event;
    const text = answer?.type === "answer.given" ? answer.data.answer.text : "";
    if (text !== (ANSWERS[kind] ?? text)) found.push(`${kind} ${planId}: answered ${JSON.stringify(text)}`);
  }
  return found;
}

function lineOf({ event, sequence, subject, storedAtMs }: StoredEvent): string {
  return `  stored ${sequence} ${subject} ${event.id} of ${event.at}, ${new Date(storedAtMs).toISOString()}`;
}

/** The model's replies to the flow's plans. */
export const FLOW_SCRIPT: ModelScript = {
  plan: () => planPieces({ steps: drafted }, () => delay(5)),
  judgement: judgementText({ text: "judged", sources: ["third"] }),
  write: "written",
  react_turn: ({ blocks }) =>
    blocks.has("results") ? turn({ result: "worked out" }) : turn({ tool: "files.write" }),
  state_patch: () => JSON.stringify(PATCH),
  plan_review: ({ number }) => findingsText({ approved: number % 2 === 0 }),
  answer_review: ({ number }) => findingsText({ approved: number % 2 === 0 }),
  step_review: ({ number }) => findingsText({ approved: number % 2 === 0 }),
};

/** The model of the flow's drafted plans. */
export function startFlowModel(): Promise<ScriptedModel> {
  return startScriptedModel(FLOW_SCRIPT);
}

/** A turn of an agent loop: a call, or the end of the loop. */
function turn({ tool = null, result = null }: { tool?: string | null; result?: string | null }): string {
  const argsJson = tool === null ? null : JSON.stringify({ path: "six.txt", content: "2 * 3" });
  return JSON.stringify({ thought: "On it.", tool, argsJson, result, requiresReplan: false, reason: null });
}

const PATCH = {
  facts: [{ key: "seen", value: "something", confidence: 0.9, source: null }],
  openQuestions: [],
  answeredQuestions: [],
  replacePlan: null,
};
