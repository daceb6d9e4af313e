/** A program for the sandbox, its capabilities, and its outcome. */
import { z } from "zod";

export const CODE_CHARS_MAX = 100_000;
export const LOG_BYTES_MAX = 256 * 1024;
export const LOG_LINES_MAX = 2_000;
export const RESULT_BYTES_MAX = 1024 * 1024;
export const TOOL_CALLS_MAX = 1_000;

export const SandboxLimits = z.object({
  /** The program's own time in milliseconds; the time of tools that it waits for does not count. */
  deadlineMs: z.int().positive(),
  /** For the program's objects. */
  memoryBytes: z.int().positive(),
  toolCalls: z.int().min(0),
  logBytes: z.int().min(0),
  resultBytes: z.int().positive(),
});
export type SandboxLimits = z.infer<typeof SandboxLimits>;

/** Languages that a child process can run; types have already been stripped from TypeScript. */
export const GuestLanguageName = z.enum(["javascript", "python"]);
export type GuestLanguageName = z.infer<typeof GuestLanguageName>;

export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, "wanted bytes");

export const GuestTable = z.object({
  name: z.string(),
  /** In table order. */
  columns: z.array(z.string()),
  /** The primary key columns, in table order. */
  key: z.array(z.string()),
  /** Why its rows cannot be changed; absent if they can. */
  fixed: z.string().optional(),
});
export type GuestTable = z.infer<typeof GuestTable>;

/** Tables that a program can read and change, in a copy. */
export const GuestDatabase = z.object({
  /**
   * A whole SQLite database, as returned by `serialize`; the header of one with a write-ahead log is changed to say that it has
   * none.
   */
  bytes: Bytes,
  tables: z.array(GuestTable),
});
export type GuestDatabase = z.infer<typeof GuestDatabase>;

/** A program as passed to a child process. */
export const GuestRequest = z.object({
  language: GuestLanguageName,
  code: z.string().max(CODE_CHARS_MAX * 2),
  /** Only for Python: the memory image that its context starts from. */
  image: z.string().optional(),
  input: z.unknown(),
  /** The program's `state`, a JSON object; if absent, the name is not defined. */
  state: z.unknown().optional(),
  /** The names of the tools that the program can call. */
  tools: z.array(z.string()),
  /** The program's `tables`; if absent, the name is not defined. */
  database: GuestDatabase.optional(),
  /** The fixed time of the program's clock, in milliseconds of Unix time; also seeds its random numbers. */
  nowMs: z.number(),
  limits: SandboxLimits,
});
export type GuestRequest = z.infer<typeof GuestRequest>;

export const FAILURES = [
  "syntax_error",
  "code_error",
  "deadline_exceeded",
  "out_of_memory",
  "too_many_calls",
  "result_too_large",
  "invalid_result",
  "never_ends",
] as const;

export const ProgramFailure = z.object({
  code: z.enum(FAILURES),
  message: z.string(),
  /** Line in the program's text, from 1. */
  line: z.int().positive().optional(),
});
export type ProgramFailure = z.infer<typeof ProgramFailure>;

export const ProgramReport = z.object({
  end: z.union([
    z.object({ ok: z.literal(true), value: z.unknown(), state: z.unknown().optional() }),
    z.object({ ok: z.literal(false), failure: ProgramFailure }),
  ]),
  /** The program's `console` output, one entry per line. */
  logs: z.array(z.string()),
  /** Whether there was more output than is kept. */
  logsCut: z.boolean(),
  /** The program's changes to its copy of the tables, in the format of SQLite's sessions; only if it succeeded and has tables. */
  changeset: Bytes.optional(),
  toolCalls: z.int().min(0),
  /** The program's own time. */
  durationMs: z.number().min(0),
  memoryBytes: z.int().min(0),
  /** How much the sandbox process has grown since it started. */
  grownBytes: z.int(),
});
export type ProgramReport = z.infer<typeof ProgramReport>;
