/** The outcome of a program, read from the result of its context. */
import { describeError } from "@planwright/shared/errors";
import { JSException } from "quickjs-wasi";
import { z } from "zod";
import type { ProgramFailure, ProgramReport } from "../program.ts";

export type ProgramEnd = ProgramReport["end"];

/** What the program's promise settles with. The program can forge it, and gains nothing by that. */
const Envelope = z.union([
  z.strictObject({ value: z.unknown().optional(), state: z.unknown().optional() }),
  z.strictObject({ thrown: z.strictObject({ name: z.string(), message: z.string(), stack: z.string() }) }),
]);

type Thrown = { readonly name: string; readonly message: string; readonly stack: string };
type LineOf = (stack: string) => number | undefined;

/** The engine's own frames have filled the stack of the process. */
const TOO_DEEP: ProgramFailure = { code: "code_error", message: "the program nests too deeply" };

/** How the engine reports errors with their own code. */
const FAILURE_OF: Readonly<Record<string, (message: string) => ProgramFailure["code"] | undefined>> = {
  SyntaxError: () => "syntax_error",
  InternalError: (message) => (message.includes("out of memory") ? "out_of_memory" : undefined),
};

/** @param json - The result as received, unvalidated. */
export function readEnvelope(json: string, lineOf: LineOf): ProgramEnd {
  const envelope = Envelope.safeParse(parseJson(json)).data;
  if (envelope === undefined)
    return failedWith({ code: "invalid_result", message: "the result is not a JSON value" });
  if ("thrown" in envelope) return failedWith(toFailure(envelope.thrown, lineOf));
  const { value = null, state } = envelope;
  return { ok: true, value, ...(state === undefined ? {} : { state }) };
}

/** What comes out of the engine itself, and not through the core. */
export function engineFailure(error: unknown, lineOf: LineOf): ProgramFailure {
  if (error instanceof RangeError) return TOO_DEEP;
  if (error instanceof JSException) {
    using _thrown = error;
    return toFailure({ name: error.name, message: error.message, stack: error.stack ?? "" }, lineOf);
  }
  return toFailure({ name: "InternalError", message: describeError(error), stack: "" }, lineOf);
}

export function failedWith(failure: ProgramFailure): ProgramEnd {
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
