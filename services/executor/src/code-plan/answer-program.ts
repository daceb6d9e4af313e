/** A program that is a plan: it answers a request from tables by setting well-known names. */
import { AnswerStatus, type Json, JsonValue } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import type { GuestLanguageName } from "../sandbox/program.ts";
import { stripTypes } from "../sandbox/strip-types.ts";

export const PROGRAM_LANGUAGES = ["javascript", "typescript", "python"] as const;
export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

const TEXT_CHARS_MAX = 2_000;
const STATUSES = AnswerStatus.extract([
  "success",
  "no_match",
  "insufficient_stock",
  "invalid_request",
  "unsupported_intent",
]);

/** A program's answer. */
export type ProgramAnswer = {
  readonly text: string;
  readonly status: AnswerStatus;
  readonly rows?: readonly Json[];
  readonly json?: Json;
  /** The declared action; absent when the program declares none. */
  readonly action?: "read" | "mutate";
};

const NAMES = ["answer_text", "STATUS", "answer_rows", "answer_json", "ACTION"].join(", ");
// On one line, so that the program's line numbers are unchanged. The program's own declarations shadow these names.
const HEAD = `let ${NAMES}; const user_request = input; const came = await (async () => { `;
const TAIL = `\nreturn { ${NAMES} }; })(); return { ${NAMES}, ...came };`;

/** The program as the sandbox runs it; its input is the request. */
export function toGuestProgram(
  language: ProgramLanguage,
  code: string,
): { language: GuestLanguageName; code: string } {
  // In Python these names are module variables, which the sandbox returns without a wrapper.
  if (language === "python") return { language, code };
  const plain = language === "typescript" ? stripTypes(code) : code;
  return { language: "javascript", code: `${HEAD}${plain}${TAIL}` };
}

const Said = z.object({
  answer_text: z.unknown(),
  STATUS: z.unknown(),
  answer_rows: z.unknown(),
  answer_json: z.unknown(),
  ACTION: z.unknown(),
});

/**
 * Reads the names that a program has set.
 *
 * @throws {PermanentError} `missing_answer` or `invalid_answer`, with a message for the program's author.
 */
export function readProgramAnswer(result: Json): ProgramAnswer {
  const said = Said.partial().safeParse(result).data ?? {};
  const text = said.answer_text;
  if (typeof text !== "string" || text.trim() === "") {
    const message = "the program must set answer_text to a sentence for the reader";
    throw new PermanentError(message, { code: "missing_answer" });
  }
  const status = STATUSES.safeParse(said.STATUS);
  if (!status.success)
    throw invalid(`STATUS must be one of ${STATUSES.options.join(", ")}, got ${inWords(said.STATUS)}`);
  const { answer_rows: rows = null, answer_json: json = null, ACTION: action = null } = said;
  if (rows !== null && !Array.isArray(rows))
    throw invalid(`answer_rows must be a list, got ${inWords(rows)}`);
  if (action !== null && action !== "read" && action !== "mutate")
    throw invalid(`ACTION must be "read" or "mutate", got ${inWords(action)}`);
  return {
    text: text.trim().slice(0, TEXT_CHARS_MAX),
    status: status.data,
    ...(rows === null ? {} : { rows: z.array(JsonValue).parse(rows) }),
    ...(json === null ? {} : { json: JsonValue.parse(json) }),
    ...(action === null ? {} : { action }),
  };
}

function inWords(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 100);
}

function invalid(message: string): PermanentError {
  return new PermanentError(message, { code: "invalid_answer" });
}
