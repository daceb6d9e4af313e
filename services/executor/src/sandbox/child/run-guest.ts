/** Runs one program in a world of its own and tells what came of it. */
import { describeError } from "@planwright/shared/errors";
import { JSException, type QuickJS } from "quickjs-wasi";
import { z } from "zod";
import {
  type GuestRequest,
  LOG_LINES_MAX,
  type ProgramFailure,
  type ProgramReport,
  type SandboxLimits,
} from "../program.ts";
import { openGuest } from "./open-guest.ts";

const FILE = "program.js";
const FRAME_OF_PROGRAM = /program\.js:(\d+)/;

/** What `__run` settles with. The program can forge it, and gains nothing by that. */
const Envelope = z.union([
  z.strictObject({ value: z.unknown().optional() }),
  z.strictObject({ thrown: z.strictObject({ name: z.string(), message: z.string(), stack: z.string() }) }),
]);

type Thrown = { readonly name: string; readonly message: string; readonly stack: string };

const NEVER_ENDS: ProgramFailure = {
  code: "never_ends",
  message: "the program waits for something that never comes",
};

/** The engine's own frames have filled the stack of the process. */
const TOO_DEEP: ProgramFailure = { code: "code_error", message: "the program nests too deeply" };

/** How the engine says what has a code of its own. */
const FAILURE_OF: Readonly<Record<string, (message: string) => ProgramFailure["code"] | undefined>> = {
  SyntaxError: () => "syntax_error",
  InternalError: (message) => (message.includes("out of memory") ? "out_of_memory" : undefined),
};

type Stop = Extract<ProgramFailure["code"], "deadline_exceeded" | "too_many_calls">;

/** @param ask - Runs a tool; the time it takes is not the program's. */
export async function runGuest(
  request: GuestRequest,
  ask: (tool: string, json: string) => string,
): Promise<ProgramReport> {
  const { limits } = request;
  const logs: string[] = [];
  let began = Number.POSITIVE_INFINITY;
  let logBytes = 0;
  let logsCut = false;
  let toolCalls = 0;
  let waitedMs = 0;
  let stop: Stop | undefined;
  const ownMs = () => performance.now() - began - waitedMs;

  const guest = await openGuest(request, {
    mustStop() {
      if (stop === undefined && ownMs() > limits.deadlineMs) stop = "deadline_exceeded";
      return stop !== undefined;
    },
    write(line) {
      logBytes += Buffer.byteLength(line);
      if (logBytes > limits.logBytes || logs.length >= LOG_LINES_MAX) logsCut = true;
      else logs.push(line);
    },
    ask(tool, json) {
      toolCalls += 1;
      if (toolCalls > limits.toolCalls) {
        stop ??= "too_many_calls";
        throw new Error("too many calls");
      }
      const since = performance.now();
      try {
        return ask(tool, json);
      } finally {
        waitedMs += performance.now() - since;
      }
    },
  });
  began = performance.now();
  try {
    const came = await settle(guest, request);
    // What the program made of being stopped is not its own doing.
    const end = stop === undefined ? came : failed({ code: stop, message: STOPPED[stop](limits) });
    const memoryBytes = guest.getMemoryUsage().memoryUsedSize;
    return {
      end,
      logs,
      logsCut,
      toolCalls: Math.min(toolCalls, limits.toolCalls),
      durationMs: ownMs(),
      memoryBytes,
      processBytes: process.memoryUsage.rss(),
    };
  } finally {
    guest.dispose();
  }
}

const STOPPED: Record<Stop, (limits: SandboxLimits) => string> = {
  deadline_exceeded: ({ deadlineMs }) => `the program ran for more than ${deadlineMs} ms`,
  too_many_calls: ({ toolCalls }) => `the program called tools more than ${toolCalls} times`,
};

async function settle(guest: QuickJS, { code, limits }: GuestRequest): Promise<ProgramReport["end"]> {
  try {
    // On one line, so that the program's lines keep their numbers.
    using promise = guest.evalCode(
      `__run(async (tools, console, input) => { "use strict"; ${code}\n})`,
      FILE,
    );
    guest.executePendingJobs();
    if (promise.promiseState === 0) return failed(NEVER_ENDS);
    const settled = await guest.resolvePromise(promise);
    using came = "value" in settled ? settled.value : settled.error;
    // Only a program that has put something else in the place of `__run` gets here without a text.
    const json = came.isString ? came.toString() : "";
    const bytes = Buffer.byteLength(json);
    if (bytes <= limits.resultBytes) return readEnvelope(json);
    const message = `wanted a result of at most ${limits.resultBytes} bytes, got ${bytes}`;
    return failed({ code: "result_too_large", message });
  } catch (error) {
    return failed(engineFailure(error));
  }
}

function readEnvelope(json: string): ProgramReport["end"] {
  const envelope = Envelope.safeParse(parseJson(json)).data;
  if (envelope === undefined)
    return failed({ code: "invalid_result", message: "the result is no JSON value" });
  if ("thrown" in envelope) return failed(toFailure(envelope.thrown));
  return { ok: true, value: envelope.value ?? null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What comes out of the engine itself, and not through `__run`. */
function engineFailure(error: unknown): ProgramFailure {
  if (error instanceof RangeError) return TOO_DEEP;
  if (error instanceof JSException) {
    using _thrown = error;
    return toFailure({ name: error.name, message: error.message, stack: error.stack ?? "" });
  }
  return toFailure({ name: "InternalError", message: describeError(error), stack: "" });
}

function toFailure({ name, message, stack }: Thrown): ProgramFailure {
  const line = FRAME_OF_PROGRAM.exec(stack)?.[1];
  const code = FAILURE_OF[name]?.(message) ?? "code_error";
  return {
    code,
    message: `${name}: ${message}`,
    ...(line === undefined ? {} : { line: Number(line) }),
  };
}

function failed(failure: ProgramFailure): ProgramReport["end"] {
  return { ok: false, failure };
}
