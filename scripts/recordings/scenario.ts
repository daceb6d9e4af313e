import { setTimeout as delay } from "node:timers/promises";
import type { EffectCounter, ScriptedModel, SystemClient, TestSystem } from "@planwright/testkit";
import type { Recorder } from "./recorder.ts";

export type Stage = {
  readonly system: TestSystem;
  /** Of scenarios whose model's replies are written down. */
  readonly model: ScriptedModel;
  /** What steps may send to. */
  readonly effects: EffectCounter;
};

/** Brings plans to where the page shows something, and records what it asks for. */
export type Scenario = (recorder: Recorder, stage: Stage) => Promise<void>;

const POLL_MS = 20;
const WITHIN_MS = 60_000;

/** @throws {Error} When it does not come true. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (!(await isTrue())) {
    if (performance.now() > endMs)
      throw new Error(`still not true after ${WITHIN_MS} ms: ${isTrue.toString()}`);
    await delay(POLL_MS);
  }
}

/** Spans arrive when they have ended, of each service in its own time. @param name - What the last one's name begins with. */
export async function untilTraced(client: SystemClient, planId: string, name: string): Promise<void> {
  await until(async () => {
    const { spans } = await client.api.plans.trace(planId);
    return spans.some((span) => span.name.startsWith(name));
  });
}

/** Approves, with whatever else a person says. @throws {Error} When it is refused. */
export async function decide(
  client: SystemClient,
  planId: string,
  approvalId: string,
  more: object = {},
): Promise<void> {
  const response = await client.fetch(`/v1/plans/${planId}/approvals/${approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approve", ...more }),
  });
  if (!response.ok) throw new Error(`the decision was refused: ${await response.text()}`);
}
