/**
 * The process in which services of test systems run together, as under `npm start -- --one-process`: code loaded and
 * compiled by one of them is available to all, including its replacement.
 */
import type { ServiceDefinition, startService } from "@planwright/shared/service";
import { flushCompileCache } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { FromHost, ToHost } from "./hosted-service.ts";

/** The exports of the bundle of all services. */
type AllServices = {
  readonly loadServices: () => Promise<readonly ServiceDefinition[]>;
  readonly startService: typeof startService;
};

const [folder = ""] = process.argv.slice(2);
const all = (await import(pathToFileURL(path.join(folder, "all-services.js")).href)) as AllServices;
const definitions = new Map((await all.loadServices()).map((definition) => [definition.name, definition]));
flushCompileCache();

const stops = new Map<number, AbortController>();

process.on("message", (message: ToHost) => {
  if (message.type === "start") void run(message);
  else stops.get(message.id)?.abort(new DOMException("the test system stops the service", "AbortError"));
});
process.once("disconnect", () => process.exit(0));
tell({ type: "loaded" });

/** Runs one service from its start to its end, and reports the result of each. */
async function run({ id, name, env }: Extract<ToHost, { type: "start" }>): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  stops.set(id, stopping);
  const log = createLog(id);
  let failure: string | undefined;
  try {
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`there is no service ${name}`);
    await using service = await all.startService(definition, { env, signal, destination: log });
    tell({ type: "ready", id, url: service.url });
    const asked = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    if (!signal.aborted) await Promise.race([asked, service.finished]);
    if (!signal.aborted) throw new Error("the service ended unexpectedly");
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.write(`${failure}\n`);
  }
  log.flush();
  stops.delete(id);
  tell({ type: "ended", id, code: failure === undefined || signal.aborted ? 0 : 1 });
}

/** Sends the output of a service in one turn of the event loop as one message. */
function createLog(id: number) {
  let waiting = "";
  const flush = (): void => {
    if (waiting === "") return;
    tell({ type: "log", id, text: waiting });
    waiting = "";
  };
  return {
    write(line: string): void {
      if (waiting === "") setImmediate(flush);
      waiting += line;
    },
    flush,
  };
}

function tell(message: FromHost): void {
  // No one listens after the tests have ended.
  if (process.connected) process.send?.(message);
}
