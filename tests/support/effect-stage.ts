/** A system and a server outside of it that counts effects: for tests of steps that happen at most once. */
import type { PlanId, PlanView } from "@planwright/plan";
import { type Bus, connectBus } from "@planwright/shared/bus";
import {
  type EffectCounter,
  type EffectTarget,
  type ServiceName,
  startEffectCounter,
  type TestSystem,
} from "@planwright/testkit";
import { afterAll, beforeAll, expect } from "vitest";
import { sharedSystem } from "./shared-system.ts";

type Sending = { readonly target: EffectTarget; readonly canCheck?: boolean; readonly pool?: string };

export type EffectStage = {
  readonly effects: EffectCounter;
  /** Only once the tests have begun. */
  readonly system: TestSystem;
  readonly bus: Bus;
  /** Submits a plan of one step, `act`, that performs one effect. */
  send(sending: Sending): Promise<PlanId>;
  /** Decides the plan's first approval, once there is one. Returns the status of the response. */
  decide(planId: string, body: object): Promise<number>;
  untilStep(planId: string, status: string): Promise<PlanView>;
  /** How often the effect of a plan of {@link EffectStage.send} has happened. */
  countOf(planId: string): number;
};

export const effectKeyOf = (planId: string): string => `${planId}/act/0/0`;

/** For all tests of a file. `alone`: the services that run as separate processes, because the file kills or stops them. */
export async function effectStage({
  alone,
}: {
  readonly alone: readonly ServiceName[];
}): Promise<EffectStage> {
  const effects = await startEffectCounter();
  afterAll(() => effects[Symbol.asyncDispose]());
  const shared = sharedSystem({ alone, services: { executor: { HTTP_FETCH_ALLOW: effects.host } } });
  let bus: Bus | undefined;
  beforeAll(async () => {
    bus = await connectBus({ url: shared.system.nats.url, name: "test" });
  });
  afterAll(() => bus?.[Symbol.asyncDispose]());
  return {
    effects,
    get system() {
      return shared.system;
    },
    get bus() {
      if (bus === undefined) throw new Error("the system has not been started yet");
      return bus;
    },
    send: (sending) => send(shared.system, effects, sending),
    decide: (planId, body) => decide(shared.system, planId, body),
    async untilStep(planId, status) {
      const view = () => shared.system.client.view(planId);
      await expect.poll(async () => (await view()).steps[0]?.status).toBe(status);
      return view();
    },
    countOf: (planId) => effects.count(effectKeyOf(planId)),
  };
}

async function send(
  system: TestSystem,
  effects: EffectCounter,
  { target, canCheck = false, pool = "default" }: Sending,
): Promise<PlanId> {
  const args = {
    url: effects.url(target),
    body: { n: 1 },
    rejectsRepeats: target === "deduping",
    ...(canCheck ? { checkUrl: effects.url("check") } : {}),
  };
  const steps = [{ id: "act", tool: "http.send", agent: pool, args }];
  const { planId } = await system.client.submit({
    goal: "act once",
    plan: { steps, answerFrom: "act" },
    approval: { risk: "never" },
  });
  return planId;
}

async function decide(system: TestSystem, planId: string, body: object): Promise<number> {
  // The owner asks as soon as it has read that the outcome is unknown.
  await expect.poll(async () => (await system.client.view(planId)).approvals.length).toBeGreaterThan(0);
  const [approval] = (await system.client.view(planId)).approvals;
  const path = `/v1/plans/${planId}/approvals/${approval?.approvalId}`;
  const response = await system.client.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}
