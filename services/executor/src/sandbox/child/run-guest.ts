/** Runs one program in its own context and returns the outcome. */
import { askParent } from "../../child-pool/ask-parent.ts";
import {
  type GuestRequest,
  LOG_LINES_MAX,
  type ProgramFailure,
  type ProgramReport,
  type SandboxLimits,
  type GuestDatabase,
} from "../program.ts";
import type { GuestLanguage } from "./languages/guest-language.ts";
import type { openGuestTables } from "./guest-tables.ts";
import { languageOf } from "./languages/index.ts";
import { type Guest, openGuest } from "./open-guest.ts";
import { statePart } from "./parts/state-part.ts";
import { tablesPart } from "./parts/tables-part.ts";
import { toolsPart } from "./parts/tools-part.ts";
import { describeError } from "@planwright/shared/errors";
import { JSException } from "quickjs-wasi";
import { z } from "zod";
import type { GuestPart } from "./guest-part.ts";

const BYTES_AT_START = process.memoryUsage.rss();

const NEVER_ENDS: ProgramFailure = {
  code: "never_ends",
  message: "the program waits for a promise that never settles",
};

type Stop = Extract<ProgramFailure["code"], "deadline_exceeded" | "too_many_calls">;

/**
 * Runs the program of a request. The parent runs its tools; their time does not count as the program's.
 *
 * @param openTables - Opens the request's database; absent in a process without SQLite.
 */
export async function runGuest(
  request: GuestRequest,
  openTables?: typeof openGuestTables,
): Promise<ProgramReport> {
  const { limits, nowMs } = request;
  const language = languageOf(request);
  const log = keepLog(limits);
  let began = Number.POSITIVE_INFINITY;
  let toolCalls = 0;
  let waitedMs = 0;
  let stop: Stop | undefined;
  const ownMs = () => performance.now() - began - waitedMs;

  const mustStop = () => {
    if (stop === undefined && ownMs() > limits.deadlineMs) stop = "deadline_exceeded";
    return stop !== undefined;
  };
  const askCounted = (tool: string, json: string) => {
    toolCalls += 1;
    if (toolCalls > limits.toolCalls) {
      stop ??= "too_many_calls";
      throw new Error("too many calls");
    }
    const since = performance.now();
    try {
      return JSON.stringify(askParent({ tool, json }));
    } finally {
      waitedMs += performance.now() - since;
    }
  };
  const { database } = request;
  if (database !== undefined && openTables === undefined)
    throw new Error("SQLite is not available in this process");
  using tables = database === undefined ? undefined : openTables?.(database);
  const parts = [toolsPart(request.tools, askCounted), consolePart(log.write), inputPart(request.input)];
  if (request.state !== undefined) parts.push(statePart(request.state));
  if (database !== undefined && tables !== undefined)
    parts.push(
      request.language === "python"
        ? rowsPart(database.tables, tables.call)
        : tablesPart(
            database.tables.map(({ name }) => name),
            tables.call,
          ),
    );
  using guest = await openGuest({ language, parts, mustStop, nowMs, limits });
  began = performance.now();
  const came = await settle(guest, language, request);
  // If the program was stopped, the outcome that it reports does not count.
  const end = stop === undefined ? came : failedWith({ code: stop, message: STOPPED[stop](limits) });
  return {
    end,
    ...log.kept(),
    ...(tables === undefined || !end.ok ? {} : { changeset: tables.changeset() }),
    toolCalls: Math.min(toolCalls, limits.toolCalls),
    durationMs: ownMs(),
    memoryBytes: guest.world.getMemoryUsage().memoryUsedSize,
    grownBytes: process.memoryUsage.rss() - BYTES_AT_START,
  };
}

const STOPPED: Record<Stop, (limits: SandboxLimits) => string> = {
  deadline_exceeded: ({ deadlineMs }) => `the program ran for more than ${deadlineMs} ms`,
  too_many_calls: ({ toolCalls }) => `the program called tools more than ${toolCalls} times`,
};

function keepLog({ logBytes }: SandboxLimits) {
  const logs: string[] = [];
  let bytes = 0;
  let logsCut = false;
  return {
    write: (line: string): void => {
      bytes += Buffer.byteLength(line);
      if (bytes > logBytes || logs.length >= LOG_LINES_MAX) logsCut = true;
      else logs.push(line);
    },
    kept: () => ({ logs, logsCut }),
  };
}

async function settle(
  { world, begin }: Guest,
  { lineOf }: GuestLanguage,
  { code, limits }: GuestRequest,
): Promise<ProgramReport["end"]> {
  try {
    using begun = begin(code);
    world.executePendingJobs();
    if (begun.isPromise && begun.promiseState === 0) return failedWith(NEVER_ENDS);
    const settled = begun.isPromise ? await world.resolvePromise(begun) : { value: begun };
    using came = "value" in settled ? settled.value : settled.error;
    const json = came.isString ? came.toString() : "";
    const bytes = Buffer.byteLength(json);
    if (bytes <= limits.resultBytes) return readEnvelope(json, lineOf);
    const message = `wanted a result of at most ${limits.resultBytes} bytes, got ${bytes}`;
    return failedWith({ code: "result_too_large", message });
  } catch (error) {
    return failedWith(engineFailure(error, lineOf));
  }
}

/** The outcome of a program, read from the result in its context. */
type ProgramEnd = ProgramReport["end"];

/** The settled value of the program's promise. The program can forge it, but gains nothing by doing so. */
const Envelope = z.union([
  z.strictObject({ value: z.unknown().optional(), state: z.unknown().optional() }),
  z.strictObject({ thrown: z.strictObject({ name: z.string(), message: z.string(), stack: z.string() }) }),
]);

type Thrown = { readonly name: string; readonly message: string; readonly stack: string };
type LineOf = (stack: string) => number | undefined;

/** The engine's own frames have exhausted the process's stack. */
const TOO_DEEP: ProgramFailure = { code: "code_error", message: "the program nests too deeply" };

/** Engine errors that have their own code. */
const FAILURE_OF: Readonly<Record<string, (message: string) => ProgramFailure["code"] | undefined>> = {
  SyntaxError: () => "syntax_error",
  InternalError: (message) => (message.includes("out of memory") ? "out_of_memory" : undefined),
};

/** @param json - The result as received, unvalidated. */
function readEnvelope(json: string, lineOf: LineOf): ProgramEnd {
  const envelope = Envelope.safeParse(parseJson(json)).data;
  if (envelope === undefined)
    return failedWith({ code: "invalid_result", message: "the result is not a JSON value" });
  if ("thrown" in envelope) return failedWith(toFailure(envelope.thrown, lineOf));
  const { value = null, state } = envelope;
  return { ok: true, value, ...(state === undefined ? {} : { state }) };
}

/** An error from the engine itself rather than through the core. */
function engineFailure(error: unknown, lineOf: LineOf): ProgramFailure {
  if (error instanceof RangeError) return TOO_DEEP;
  if (error instanceof JSException) {
    using _thrown = error;
    return toFailure({ name: error.name, message: error.message, stack: error.stack ?? "" }, lineOf);
  }
  return toFailure({ name: "InternalError", message: describeError(error), stack: "" }, lineOf);
}

function failedWith(failure: ProgramFailure): ProgramEnd {
  return { ok: false, failure };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toFailure({ name, message, stack }: Thrown, lineOf: LineOf): ProgramFailure {
  const line = lineOf(stack);
  const code = FAILURE_OF[name]?.(message) ?? "code_error";
  return { code, message: `${name}: ${message}`, ...(line === undefined ? {} : { line }) };
}

/**
 * Tables as rows only, for a language that builds its own table objects: a function that takes an operation and its arguments,
 * and the structure of the tables.
 *
 * @param call - Performs one row operation; see `GuestTables`.
 */
function rowsPart(
  tables: GuestDatabase["tables"],
  call: (operation: string, json: string) => string,
): GuestPart {
  return {
    name: "rows",
    functions: { call: (operation = "", json = "") => call(operation, json) },
    data: tables,
    source: `({ stringify, parse, freeze }, { call }, tables) => freeze({
      __proto__: null, tables, run: (operation, args) => parse(call(operation, stringify(args))),
    })`,
  };
}

/** The input that the step gives its program: a JSON value. */
function inputPart(data: unknown): GuestPart {
  return { name: "input", functions: {}, data, source: "(own, host, input) => input" };
}

/** The program's console, one line per call. @param write - Receives each line. */
function consolePart(write: (line: string) => void): GuestPart {
  return {
    name: "console",
    functions: { write: (line = "") => write(line) },
    data: null,
    source: `({ stringify, freeze, defineProperty, Text, cut }, { write }) => {
      const text = (value) => {
        if (typeof value === "string") return value;
        try { return stringify(value) ?? Text(value); } catch { return "[cannot be shown]"; }
      };
      const say = (...values) => {
        let line = "";
        for (let i = 0; i < values.length; i += 1) line += (i === 0 ? "" : " ") + text(values[i]);
        write(cut(line, 65536));
      };
      const console = freeze({ __proto__: null, log: say, info: say, warn: say, error: say, debug: say });
      defineProperty(globalThis, "console", { value: console });
      return console;
    }`,
  };
}
