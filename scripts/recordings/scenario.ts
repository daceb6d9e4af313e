import { setTimeout as delay } from "node:timers/promises";
import type { EffectCounter, ScriptedModel, SystemClient, TestSystem } from "@planwright/testkit";
import type { Recorder } from "./recorder.ts";
import type { Store } from "../../tests/support/sunglasses-store.ts";

export type Stage = {
  readonly system: TestSystem;
  /** Used by scenarios of a scripted model. */
  readonly model: ScriptedModel;
  /** Receives the effects of steps. */
  readonly effects: EffectCounter;
  /** Data that programs change, in a scripted system. */
  readonly store: Store;
};

/** Brings plans to a state, and records the requests that the page makes to show it. */
export type Scenario = (recorder: Recorder, stage: Stage) => Promise<void>;

const POLL_MS = 20;
const WITHIN_MS = 60_000;

/** Waits for a condition. @throws {Error} When it does not come true in time. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (!(await isTrue())) {
    if (performance.now() > endMs)
      throw new Error(`still not true after ${WITHIN_MS} ms: ${isTrue.toString()}`);
    await delay(POLL_MS);
  }
}

/** Waits for a span: each service exports its own some time after they ended. @param name - The start of the span's name. */
export async function untilTraced(client: SystemClient, planId: string, name: string): Promise<void> {
  await until(async () => {
    const { spans } = await client.api.plans.trace(planId);
    return spans.some((span) => span.name.startsWith(name));
  });
}
