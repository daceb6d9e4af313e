import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { PlanFailedError, type PlanView, Planwright } from "@planwright/client";
import { AnyJson, defineTool, type Tool, z } from "@planwright/tools-kit";
import { type ScriptedModel, type ScriptedReply, startScriptedModel } from "../model/start-scripted-model.ts";
import type { ToolCall } from "./fake-tool.ts";
import type { ModelScript, Scripted } from "./model-script.ts";
import { bridgeTools } from "./tool-bridge.ts";

const READY_WITHIN_MS = 120_000;
const FINISHED_WITHIN_MS = 60_000;
const OUTPUT_CHARS_MAX = 200_000;
const READY = /ready in \S+ s: (\S+)/;
const WAIT = "flow.wait";

export type SystemOptions = {
  /** The model's replies. Without it, every model call is rejected: submit plans, not goals. */
  readonly model?: ModelScript;
  /**
   * Tools that run in this process: fakes, and your own, created with `defineTool`. A tool with the name of a built-in tool
   * replaces it.
   */
  readonly tools?: readonly Tool[];
  /** Whether `flow.wait` waits. Default false: it returns immediately, and its durations are added to `system.waitedMs`. */
  readonly realWaits?: boolean;
  /** Added to the environment of the services, such as `PLANWRIGHT_API_KEYS`. */
  readonly env?: Readonly<Record<string, string>>;
};

export type TestSystem = AsyncDisposable & {
  /** The URL of the gateway and the dashboard. */
  readonly url: string;
  readonly client: Planwright;
  /** Resolves with the plan's final view when it has ended, whatever its outcome. Default timeout 60,000 ms. */
  finished(planId: string, options?: { readonly timeoutMs?: number }): Promise<PlanView>;
  /** The calls of one of `tools` so far, oldest first. */
  calls(tool: string): readonly ToolCall[];
  /** Number of model calls in a role, such as `plan`. */
  modelCalls(role: string): number;
  /** Total duration of `flow.wait` steps so far, in milliseconds. */
  readonly waitedMs: number;
  /** The system's printed output. */
  output(): string;
};

/**
 * Starts the whole system, like `planwright start`, on a free port and with a separate data folder, and waits until it
 * is ready. Disposing it stops it and removes its data.
 *
 * @throws {Error} When it does not start, with its output.
 */
export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  const cleanup = cleanupStack();
  try {
    const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-test-"));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    let waitedMs = 0;
    const waits = options.realWaits === true ? [] : [virtualWait((ms) => (waitedMs += ms))];
    const tools = [...(options.tools ?? []), ...waits];
    const toolsDir = path.join(folder, "tools");
    await mkdir(toolsDir);
    const bridge = cleanup.use(await bridgeTools(tools, toolsDir));
    const model = cleanup.use(await startModel(options.model ?? {}));
    const env = { ...environmentOf(model.url, toolsDir, tools), ...options.env };
    const running = cleanup.use(await run(folder, env));
    const apiKey = env["PLANWRIGHT_API_KEYS"]?.split(",")[0]?.split(":").at(-1);
    const client = new Planwright({ baseUrl: running.url, apiKey });
    return {
      url: running.url,
      client,
      finished: (planId, { timeoutMs = FINISHED_WITHIN_MS } = {}) => finished(client, planId, timeoutMs),
      calls: (tool) => bridge.calls.filter((call) => call.tool === tool),
      modelCalls: (role) => model.count(role),
      get waitedMs() {
        return waitedMs;
      },
      output: running.output,
      [Symbol.asyncDispose]: () => cleanup.run(),
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** `AsyncDisposableStack`, which is built into Node since version 24. */
function cleanupStack() {
  const steps: (() => Promise<void>)[] = [];
  return {
    defer: (step: () => Promise<void>) => void steps.push(step),
    use<Used extends AsyncDisposable>(used: Used): Used {
      steps.push(async () => used[Symbol.asyncDispose]());
      return used;
    },
    async run(): Promise<void> {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}

function environmentOf(modelUrl: string, toolsDir: string, tools: readonly Tool[]): Record<string, string> {
  return {
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: "test",
    PLANNER_MODEL: "test",
    EXECUTOR_MODEL: "test",
    REFLECTOR_MODEL: "test",
    PLANWRIGHT_TOOLS: toolsDir,
    EXECUTOR_POOLS: [...new Set(["default", ...tools.map(({ spec }) => spec.pool)])].join(","),
    EXECUTOR_TOOLS_REPLACED: tools.map(({ spec }) => spec.name).join(","),
  };
}

function virtualWait(note: (ms: number) => void): Tool {
  return defineTool({
    name: WAIT,
    description: "Wait, then return `value`. In a test it returns immediately.",
    input: z.strictObject({ ms: z.int().min(0), value: z.unknown().optional() }),
    output: AnyJson,
    risk: "low",
    effect: "read",
    timeoutMs: 60_000,
    run: async ({ ms, value }) => {
      note(ms);
      return value ?? null;
    },
  });
}

async function finished(client: Planwright, planId: string, timeoutMs: number): Promise<PlanView> {
  try {
    return await client.plans.wait(planId, { timeoutMs });
  } catch (error) {
    if (error instanceof PlanFailedError) return error.plan;
    throw error;
  }
}

/** Runs `planwright start` of the installed package. */
async function run(folder: string, env: Readonly<Record<string, string>>) {
  const manifest = createRequire(import.meta.url).resolve("planwright/package.json");
  const { bin } = JSON.parse(await readFile(manifest, "utf8")) as { bin: { planwright: string } };
  const command = [path.resolve(path.dirname(manifest), bin.planwright), "start", "--port", "0"];
  const child = spawn(process.execPath, [...command, "--data", path.join(folder, "data")], {
    cwd: folder,
    env: { ...process.env, NATS_URL: "", HOST: "", NO_COLOR: "1", ...env },
    // Through the channel, the system notices when this process is killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  // The channel must not keep the test running.
  child.channel?.unref();
  let output = "";
  const ready = new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the system ${why}; it printed:\n${output}`));
    const timer = setTimeout(() => fail(`was not ready within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS);
    const settle = (): void => clearTimeout(timer);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (piece: Buffer) => {
        output = (output + piece.toString()).slice(-OUTPUT_CHARS_MAX);
        const url = READY.exec(output)?.[1];
        if (url === undefined) return;
        settle();
        resolve(url);
      });
    }
    child.once("close", (code) => {
      settle();
      fail(`ended with ${code} before it was ready`);
    });
  });
  const closed = once(child, "close");
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await closed;
  };
  try {
    return { url: (await ready).replace(/\/$/, ""), output: () => output, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A model server on a free port. */
function startModel(script: ModelScript): Promise<ScriptedModel> {
  const roles = Object.entries(script).map(([role, scripted]) => {
    const replies = isList(scripted) ? scripted : [scripted];
    return [role, replies.map((reply) => replyOf(role, reply))] as const;
  });
  return startScriptedModel(Object.fromEntries(roles), { checksSchemas: false });
}

function replyOf(role: string, reply: Scripted): ScriptedReply {
  if (typeof reply !== "function") return reply;
  return ({ number, system, user }) => reply({ role, number, system, user });
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(scripted: ModelScript[string]): scripted is readonly Scripted[] {
  return Array.isArray(scripted);
}
