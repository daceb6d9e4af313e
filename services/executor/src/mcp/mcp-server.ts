/** One server for the lifetime of this worker: started, listed, used, and restarted when it has ended. */
import { setTimeout as sleep } from "node:timers/promises";
import { describeError, TransientError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { NotDoneError } from "@planwright/tools-kit";
import type { BrokenFile } from "../tool-files/watch-tool-files.ts";
import type { Tool } from "../tools/define-tool.ts";
import { listOffer, type ServerOffer } from "./list-offer.ts";
import type { ServerSettings } from "./mcp-file.ts";
import type { Session } from "./open-session.ts";
import type { Pins } from "./pins.ts";

const RESTART_MS_MIN = 1_000;
const RESTART_MS_MAX = 300_000;
/** After running this long, a server starts from the shortest restart delay again. */
const STEADY_MS = 60_000;
/** How long a step waits for a server that is being started. */
const WAIT_MS_MAX = 10_000;
/** Rate limit: a server can announce changed tools as often as it likes. */
const LIST_EVERY_MS = 5_000;
const SECRET_CHARS_MIN = 6;
const NO_OFFER: ServerOffer = { tools: [], broken: [], gone: [] };

export type McpServer = AsyncDisposable & {
  readonly settings: ServerSettings;
  /** Also while the server is restarting: a step waits for it. */
  readonly tools: () => readonly Tool[];
  readonly broken: () => readonly BrokenFile[];
};

export type McpServerDeps = {
  readonly pins: Pins;
  readonly isTaken: (name: string) => boolean;
  /** Called when the set of offered tools changes. */
  readonly onChange: (gone: readonly string[]) => void;
  readonly log: Logger;
};

/** Returns immediately; the server's tools become available once it has listed them. */
export function startMcpServer(settings: ServerSettings, deps: McpServerDeps): McpServer {
  const { log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const place = createPlace<Session>();
  let offer = NO_OFFER;
  let fault: string | undefined = "it has not responded yet";

  const session = async (during: AbortSignal): Promise<Session> => {
    const here = await place.wait(during, WAIT_MS_MAX);
    if (here !== undefined) return here;
    throw new NotDoneError(
      `the MCP server ${settings.name} is not running: ${fault ?? "it has just exited"}`,
    );
  };
  const list = async (from: Session): Promise<void> => {
    const listed = await from.listTools(signal);
    const before = offer.tools.map(({ spec }) => spec.name);
    offer = await listOffer(listed, settings, { ...deps, session });
    for (const { file, reason } of offer.broken) log.error({ file, reason }, "cannot use MCP tool");
    const names = new Set(offer.tools.map(({ spec }) => spec.name));
    const gone = [...offer.gone, ...before].filter((name) => !names.has(name) && !deps.isTaken(name));
    deps.onChange([...new Set(gone)]);
  };
  const live = async (): Promise<string> => {
    const changes = createChanges();
    const { openSession } = await import("./open-session.ts");
    await using here = await openSession(settings.target, { signal, onListChanged: changes.note });
    await list(here);
    fault = undefined;
    place.put(here);
    log.info({ server: settings.name, tools: offer.tools.length }, "MCP server ready");
    try {
      return await listAgain(here, { changes, list, signal });
    } finally {
      place.clear();
    }
  };
  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      const startedMs = performance.now();
      const why = hide(await live().catch(describeError), settings.secrets);
      if (signal.aborted) return;
      failures = performance.now() - startedMs > STEADY_MS ? 1 : failures + 1;
      const waitMs = Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** (failures - 1));
      fault = `${why}; restarting in ${waitMs / 1_000} s`;
      log.warn({ server: settings.name, why, failures, waitMs }, "MCP server unavailable");
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    settings,
    tools: () => offer.tools,
    broken: () => [
      ...(fault === undefined ? [] : [{ file: `mcp: ${settings.name}`, reason: fault }]),
      ...offer.broken,
    ],
    async [Symbol.asyncDispose]() {
      stopping.abort(new TransientError("the worker stops"));
      await running;
    },
  };
}

/** Lists the tools again whenever they change, until the session ends. Resolves with the reason. */
async function listAgain(
  session: Session,
  {
    changes,
    list,
    signal,
  }: {
    readonly changes: Changes;
    readonly list: (from: Session) => Promise<void>;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  let over: string | undefined;
  const stopped = Promise.withResolvers<string>();
  signal.addEventListener("abort", () => stopped.resolve("the worker stops"), { once: true });
  const ended = Promise.race([session.ended, stopped.promise]).then((why) => (over = why));
  while (over === undefined) {
    await Promise.race([ended, changes.next()]);
    if (over !== undefined) break;
    await list(session);
    await Promise.race([ended, sleep(LIST_EVERY_MS, undefined, { ref: false })]);
  }
  return over;
}

type Changes = { readonly note: () => void; readonly next: () => Promise<void> };

function createChanges(): Changes {
  let change = Promise.withResolvers<void>();
  return {
    note: () => change.resolve(),
    async next() {
      await change.promise;
      change = Promise.withResolvers();
    },
  };
}

/** Removes the server's keys from any report about it. */
function hide(text: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= SECRET_CHARS_MIN);
  return long.reduce((kept, secret) => kept.replaceAll(secret, "***"), text);
}

/** Holds something that comes and goes, and that others wait for. */
type Place<Thing> = {
  put(thing: Thing): void;
  clear(): void;
  /**
   * @returns Undefined when nothing arrived in time.
   * @throws The signal's reason when it aborts.
   */
  wait(signal: AbortSignal, ms: number): Promise<Thing | undefined>;
};

function createPlace<Thing>(): Place<Thing> {
  let here: Thing | undefined;
  const waiting = new Set<() => void>();
  return {
    put(thing) {
      here = thing;
      for (const wake of waiting) wake();
    },
    clear() {
      here = undefined;
    },
    async wait(signal, ms) {
      signal.throwIfAborted();
      if (here !== undefined) return here;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      waiting.add(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
      signal.throwIfAborted();
      return here;
    },
  };
}
