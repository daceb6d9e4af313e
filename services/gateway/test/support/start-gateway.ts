/** One gateway with a real nats-server, and a bus to play the other services with. */
import { ToolSpec } from "@planwright/plan";
import { BUCKETS, type Bus, connectBus, openRegistry, provision, STREAMS } from "@planwright/shared/bus";
import {
  createLogger,
  type Environment,
  type RunningService,
  startService,
} from "@planwright/shared/service";
import { startNats, type TestNats, type TestNatsOptions } from "@planwright/testkit";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { gatewayService } from "../../src/index.ts";

/** Only for hanging requests: a test that exceeds its own time limit cannot say where. */
const ANSWER_MS_MAX = 60_000;

export const log = createLogger({ name: "test", level: "silent" });

const objectOf = (properties: object, required: readonly string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const spec = (name: string, input: object) =>
  ToolSpec.parse({
    name,
    description: name,
    input,
    output: {},
    risk: "low",
    effect: "read",
    timeoutMs: 1_000,
  });

export const TOOLS = [
  spec("flow.echo", objectOf({ value: {} }, ["value"])),
  spec("flow.wait", objectOf({ ms: { type: "number" }, value: {} }, ["ms"])),
  spec(
    "model.write",
    objectOf({ prompt: { type: "string" }, context: {}, keepFacts: {}, facts: {} }, ["prompt"]),
  ),
];

export type TestSystem = AsyncDisposable & {
  readonly nats: TestNats;
  readonly bus: Bus;
  readonly folder: string;
  /** Starts a gateway with a data folder of this name. */
  gateway(options?: { folder?: string; env?: Environment }): Promise<TestGateway>;
  /** The number of messages in the log of plans. */
  stored(): Promise<number>;
};

export type TestGateway = RunningService & {
  readonly url: string;
  readonly dataDir: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  delete(path: string, headers?: Record<string, string>): Promise<Response>;
  submit(body: unknown, headers?: Record<string, string>): Promise<{ planId: string; traceId: string }>;
};

export async function startSystem({
  tools = TOOLS,
  nats: natsOptions,
}: {
  tools?: readonly ToolSpec[];
  nats?: TestNatsOptions;
} = {}): Promise<TestSystem> {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats(natsOptions));
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-gateway-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const bus = stack.use(await connectBus({ url: nats.url, name: "test" }));
  await provision(bus);
  const registry = stack.use(await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log }));
  for (const tool of tools) await registry.put(tool.name, tool);
  const owned = stack.move();
  return {
    nats,
    bus,
    folder,
    gateway: ({ folder: name = "data", env = {} } = {}) =>
      startTestGateway(path.join(folder, name), {
        NATS_URL: nats.url,
        PORT: "0",
        PLANWRIGHT_UPLOADS: path.join(folder, "no-sources"),
        ...env,
      }),
    async stored() {
      const { state } = await bus.manager.streams.info(STREAMS.plans);
      return state.messages;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** One system with one gateway for all tests of a file: started when the file is loaded, stopped after its last test. */
export async function sharedGateway(
  options: Parameters<typeof startSystem>[0] = {},
): Promise<{ readonly system: TestSystem; readonly gateway: TestGateway }> {
  await using stack = new AsyncDisposableStack();
  const system = stack.use(await startSystem(options));
  const gateway = stack.use(await system.gateway());
  const owned = stack.move();
  afterAll(() => owned.disposeAsync());
  return { system, gateway };
}

async function startTestGateway(dataDir: string, env: Environment): Promise<TestGateway> {
  const running = await startService(gatewayService, {
    env: { PLANWRIGHT_DATA: dataDir, STRICT_RESPONSES: "true", ...env },
    signal: new AbortController().signal,
    log,
  });
  const { url = "" } = running;
  const post = (to: string, body: unknown, headers: Record<string, string> = {}) =>
    answerOf(url + to, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
  return {
    ...running,
    url,
    dataDir,
    post,
    get: (from, headers = {}) => answerOf(url + from, { headers }),
    delete: (from, headers = {}) => answerOf(url + from, { method: "DELETE", headers }),
    async submit(body, headers) {
      const response = await post("/v1/plans", body, headers);
      if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as { planId: string; traceId: string };
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** @throws {Error} That names the address, if there is no response within {@link ANSWER_MS_MAX}; bodies may take longer. */
async function answerOf(address: string, { method = "GET", ...options }: RequestInit): Promise<Response> {
  const limit = new AbortController();
  const late = (): void => limit.abort(new Error(`${method} ${address} is not answered`));
  const timer = setTimeout(late, ANSWER_MS_MAX);
  try {
    return await fetch(address, { method, ...options, signal: limit.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Two steps, the second of which depends on the first. */
export const TWO_STEPS = {
  goal: "two steps",
  plan: {
    steps: [
      { id: "a", tool: "flow.echo", args: { value: 1 } },
      { id: "b", tool: "flow.echo", args: { value: { $ref: "a.output" } } },
    ],
  },
};
