/** Records requests to a gateway and its answers, in order. */
import os from "node:os";
import path from "node:path";
import type { SystemClient } from "@planwright/testkit";
import {
  askOf,
  type RecordedAnswer,
  type Recording,
} from "../../packages/dashboard/test/support/recording.ts";
import type { Stage } from "./scenario.ts";

export type Recorder = {
  readonly client: SystemClient;
  /** Gives a plan of the recording a name for tests. */
  readonly name: (name: string, planId: string) => void;
  /** Sends requests and records the answers. In a test, those recorded after an action are played once the page has taken it. */
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
