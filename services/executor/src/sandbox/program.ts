/** A program for the sandbox, its capabilities, and its outcome. */
import { z } from "zod";

export const CODE_CHARS_MAX = 100_000;
export const LOG_BYTES_MAX = 256 * 1024;
export const LOG_LINES_MAX = 2_000;
export const RESULT_BYTES_MAX = 1024 * 1024;
export const TOOL_CALLS_MAX = 1_000;

export const SandboxLimits = z.object({
  /** Of the program's own time in milliseconds; tools that it waits for do not count. */
  deadlineMs: z.int().positive(),
  /** Of the program's objects. */
  memoryBytes: z.int().positive(),
  toolCalls: z.int().min(0),
  logBytes: z.int().min(0),
  resultBytes: z.int().positive(),
});
export type SandboxLimits = z.infer<typeof SandboxLimits>;

/** What a child process runs programs of; TypeScript has lost its types before. */
export const GuestLanguageName = z.enum(["javascript", "python"]);
export type GuestLanguageName = z.infer<typeof GuestLanguageName>;

export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, "wanted bytes");

export const GuestTable = z.object({
  name: z.string(),
  /** In the table's order. */
  columns: z.array(z.string()),
  /** Those of the primary key, in the table's order. */
  key: z.array(z.string()),
  /** Why its rows cannot be changed; they can when absent. */
  fixed: z.string().optional(),
});
export type GuestTable = z.infer<typeof GuestTable>;

/** Tables that a program may read and change: it is given a copy. */
export const GuestDatabase = z.object({
  /** A whole SQLite database, as `serialize` gives it; one with a write-ahead log says in its header that it has none. */
  bytes: Bytes,
  tables: z.array(GuestTable),
});
export type GuestDatabase = z.infer<typeof GuestDatabase>;

/** A program as a child process is given it. */
export const GuestRequest = z.object({
  language: GuestLanguageName,
  code: z.string().max(CODE_CHARS_MAX * 2),
  /** Of Python: the file that its world begins with. */
  image: z.string().optional(),
  input: z.unknown(),
  /** What the program finds as `state`, a JSON object; there is no such name when absent. */
  state: z.unknown().optional(),
  /** The names of the tools that the program may call. */
  tools: z.array(z.string()),
  /** What the program finds as `tables`; there is no such name when absent. */
  database: GuestDatabase.optional(),
  /** What the program's clock shows all the time, in milliseconds of Unix time; also seeds its random numbers. */
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
  /** Of the program's text, from 1. */
  line: z.int().positive().optional(),
});
export type ProgramFailure = z.infer<typeof ProgramFailure>;

export const ProgramReport = z.object({
  end: z.union([
    z.object({ ok: z.literal(true), value: z.unknown(), state: z.unknown().optional() }),
    z.object({ ok: z.literal(false), failure: ProgramFailure }),
  ]),
  /** What the program wrote with `console`, a line each. */
  logs: z.array(z.string()),
  /** More was written than is kept. */
  logsCut: z.boolean(),
  /** What the program has changed in its copy of the tables, as SQLite's sessions record it; only of one that has ended well and has tables. */
  changeset: Bytes.optional(),
  toolCalls: z.int().min(0),
  /** The program's own time. */
  durationMs: z.number().min(0),
  memoryBytes: z.int().min(0),
  /** By how much the process of the sandbox has grown since it started. */
  grownBytes: z.int(),
});
export type ProgramReport = z.infer<typeof ProgramReport>;
