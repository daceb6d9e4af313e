import { setTimeout as delay } from "node:timers/promises";
import type { EffectCounter, ScriptedModel, SystemClient, TestSystem } from "@planwright/testkit";
import type { Store } from "../../tests/support/sunglasses-store.ts";
import os from "node:os";
import path from "node:path";
import {
  askOf,
  type RecordedAnswer,
  type Recording,
} from "../../packages/dashboard/test/support/recording.ts";

export type Stage = {
  readonly system: TestSystem;
  /** Used by scenarios of a scripted model. */
  readonly model: ScriptedModel;
  /** Receives the effects of steps. */
  readonly effects: EffectCounter;
  /** Data that programs change, in a scripted system. */
  readonly store: Store;
};

/** Brings plans into a state, and records the requests that the page makes to show it. */
export type Scenario = (recorder: Recorder, stage: Stage) => Promise<void>;

const POLL_MS = 20;
const WITHIN_MS = 60_000;

/** Waits for a condition. @throws {Error} When it does not become true in time. */
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

/** Records requests to a gateway and its responses, in order. */
export type Recorder = {
  readonly client: SystemClient;
  /** Gives a plan of the recording a name for tests. */
  readonly name: (name: string, planId: string) => void;
  /** Sends requests and records the responses. In a test, those recorded after an action are played once the page takes it. */
  readonly get: (...paths: readonly string[]) => Promise<void>;
  readonly post: (path: string, body?: object) => Promise<void>;
  /** The recording, without folders, ports and the name of this machine. */
  readonly recording: () => Recording;
};

export function createRecorder(stage: Stage): Recorder {
  const { client } = stage.system;
  const plans: Record<string, string> = {};
  const answers: RecordedAnswer[] = [];
  const record = async (method: string, address: string, init: RequestInit = {}): Promise<void> => {
    const headers = {
      accept: "application/json",
      ...(init.body !== undefined && { "content-type": "application/json" }),
    };
    const response = await client.fetch(address, { method, headers, ...init });
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    const text = withoutMachine(await response.text(), stage);
    const body: unknown = type.endsWith("json") ? JSON.parse(text) : text;
    answers.push({ ask: askOf(method, address), status: response.status, type, body });
  };
  return {
    client,
    name: (name, planId) => {
      plans[name] = planId;
    },
    async get(...paths) {
      for (const path of paths) await record("GET", path);
    },
    post: (path, body) => record("POST", path, body === undefined ? {} : { body: JSON.stringify(body) }),
    recording: () => ({ plans, answers }),
  };
}

function withoutMachine(text: string, { system, model, effects, store }: Stage): string {
  const name = new RegExp(`\\b${RegExp.escape(os.hostname())}\\b`, "g");
  return text
    .replaceAll(system.data, "/data")
    .replaceAll(path.dirname(store.sources), "/store")
    .replaceAll(process.cwd(), "/planwright")
    .replaceAll(new URL(system.url).host, "127.0.0.1:8080")
    .replaceAll(new URL(model.url).host, "127.0.0.1:8081")
    .replaceAll(effects.host, "127.0.0.1:8082")
    .replaceAll(name, "host");
}
