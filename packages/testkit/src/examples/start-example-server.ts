import { fork } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { type Example, loadExample } from "./load-example.ts";

const END_WITH_CHANNEL = new URL("../run/end-with-channel.mjs", import.meta.url).href;
const READY_WITHIN_MS = 60_000;
/** The address of the server in the examples' requests, where it listens when started manually. */
const OWN_ADDRESS = /http:\/\/127\.0\.0\.1:80\d\d/g;

const Ready = z.object({ type: z.literal("ready"), url: z.url() });

/** The external server of one example: a separate process, which outlives every service that is killed. */
export type ExampleServer = AsyncDisposable & {
  readonly url: string;
  /** The example's request, with the address of this server. */
  readonly request: Example["request"];
  /** The environment that executors need to reach it. */
  readonly env: Readonly<Record<string, string>>;
};

/** @throws When the example has no server, or the server does not start. */
export async function startExampleServer(name: string): Promise<ExampleServer> {
  const { serverFile, toolsFolder, request } = await loadExample(name);
  if (serverFile === undefined) throw new Error(`the example ${name} has no server`);
  const child = fork(serverFile, {
    env: { PORT: "0" },
    execArgv: ["--import", END_WITH_CHANNEL],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const started = once(child, "message", { signal: AbortSignal.timeout(READY_WITHIN_MS) });
  const message: unknown = await Promise.race([
    started.then((messages: unknown[]) => messages[0]),
    ended.then(() => Promise.reject(new Error(`the server of ${name} ended early`))),
  ]);
  const { url } = Ready.parse(message);
  const own = JSON.stringify(request).replaceAll(OWN_ADDRESS, url);
  return {
    url,
    request: z.record(z.string(), z.unknown()).parse(JSON.parse(own)),
    env: {
      HTTP_FETCH_ALLOW: new URL(url).host,
      // For its own tools, whose address is not in the request.
      ...(toolsFolder === undefined ? {} : { PLANWRIGHT_TOOLS: toolsFolder, EXAMPLE_URL: url }),
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
