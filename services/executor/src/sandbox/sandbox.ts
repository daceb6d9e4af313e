/** Runs untrusted programs: in WebAssembly, in a child process without permissions that can be killed. */
import { isJsonObject, type Json, JsonObject, JsonValue } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { CODE_PATHS } from "../child-pool/code-paths.ts";
import { type ChildPool, type ChildPoolSettings, createChildPool } from "../child-pool/create-child-pool.ts";
import type { CallOwner } from "../child-pool/start-child.ts";
import {
  type GuestLanguageName,
  type GuestDatabase,
  type GuestRequest,
  LOG_BYTES_MAX,
  type ProgramFailure,
  ProgramReport,
  RESULT_BYTES_MAX,
  type SandboxLimits,
  TOOL_CALLS_MAX,
} from "./program.ts";
import type { Wall } from "../wall/wall.ts";
import { findImage, IMAGE_FOLDER } from "./python/image-file.ts";

const CHILDREN = 2;
/** For programs of plans and tenants that have none running: an endless program makes no other plan wait. */
const RESERVE = 2;
/**
 * Per child, in MB. A child that has grown by more than `growthMb` since it started is replaced, so that no program pays for the
 * memory of an earlier one. A child for Python also holds the image of its language.
 */
const CHILD: Readonly<Record<GuestLanguageName, { readonly memoryMb: number; readonly growthMb: number }>> = {
  javascript: { memoryMb: 192, growthMb: 64 },
  python: { memoryMb: 352, growthMb: 176 },
};
/** Programs come in bursts: the next program of a plan that waits for a model finds a warm process. */
const IDLE_MS = 600_000;
const MB = 1024 * 1024;
const GUEST_MEMORY_BYTES = 64 * 1024 * 1024;
const DEADLINE_MS = 10_000;
/** Extra time beyond a program's deadline: to open it, and to leave native loops, which do not check the deadline. */
const KILL_AFTER_MS: Readonly<Record<GuestLanguageName, number>> = { javascript: 500, python: 3_000 };

export type Program = {
  readonly language: GuestLanguageName;
  /**
   * In JavaScript: the body of an async function of `tools`, `console` and `input`; its return value is the result. In Python: a
   * module whose `result` is the result, or its `answer_text`, `STATUS`, `answer_rows` and `answer_json`.
   */
  readonly code: string;
  readonly input: Json;
  /** The program's `state`, which it can change; if absent, the name is not defined. */
  readonly state?: JsonObject | undefined;
  /** Names of tools; `docs.search` is called as `tools.docs.search(args)`. */
  readonly tools: readonly string[];
  /** The program's `tables`, a copy; if absent, the name is not defined. */
  readonly database?: GuestDatabase | undefined;
  /** The time of the program's clock, in milliseconds of Unix time. */
  readonly nowMs: number;
};

export type ToolOutcome =
  | { readonly output: Json }
  | { readonly error: { readonly code: string; readonly message: string } };

export type ProgramHost = {
  readonly signal: AbortSignal;
  /** The plan that it runs for. */
  readonly owner?: CallOwner | undefined;
  /** Runs a tool while the program is blocked. An error ends the program. */
  readonly callTool: (tool: string, args: JsonObject) => Promise<ToolOutcome>;
};

export type SandboxReport = Omit<ProgramReport, "end"> & {
  readonly end:
    | {
        readonly ok: true;
        readonly value: Json;
        /** As the program left it. */
        readonly state?: JsonObject;
      }
    | { readonly ok: false; readonly failure: ProgramFailure };
};

export type Sandbox = Disposable & {
  /**
   * Runs a program to its end. The report also says how a failed program ended.
   *
   * @throws {TransientError} When too many programs wait, or the child exited on its own.
   * @throws The signal's reason when it aborts; errors of `callTool`.
   */
  run(program: Program, host: ProgramHost): Promise<SandboxReport>;
};

/** The part of a report about its process; the full report is parsed only once. */
const Growth = ProgramReport.pick({ grownBytes: true });
const Question = z.strictObject({ tool: z.string(), json: z.string() });
const Arguments = z.strictObject({ args: JsonValue });

/**
 * @param limits - Per program; default: 10 s, 64 MiB, 1,000 tool calls, 256 KiB of log and 1 MiB of result.
 * @param wall - The wall around the processes of programs; none by default.
 */
export function createSandbox(limits: Partial<SandboxLimits> = {}, wall?: Wall): Sandbox {
  const all: SandboxLimits = {
    deadlineMs: DEADLINE_MS,
    memoryBytes: GUEST_MEMORY_BYTES,
    toolCalls: TOOL_CALLS_MAX,
    logBytes: LOG_BYTES_MAX,
    resultBytes: RESULT_BYTES_MAX,
    ...limits,
  };
  using opening = new DisposableStack();
  const pools = {
    javascript: opening.use(openPool("javascript", { ...SANDBOX, wall })),
    python: opening.use(openPool("python", { ...SANDBOX, wall })),
  };
  const poolsWithTables = {
    javascript: opening.use(openPool("javascript", { ...SANDBOX_WITH_TABLES, wall })),
    python: opening.use(openPool("python", { ...SANDBOX_WITH_TABLES, wall })),
  };
  const open = opening.move();
  return {
    async run({ language, code, input, state, tools, database, nowMs }, { signal, owner, callTool }) {
      const given = {
        ...(language === "python" ? { image: await findImage(wall) } : {}),
        ...(database === undefined ? {} : { database }),
      };
      const program = { language, code, input, state, tools: [...tools], nowMs };
      const request: GuestRequest = { ...program, ...given, limits: all };
      const answer = (question: unknown) => answerQuestion(question, { tools, callTool });
      const timeoutMs = all.deadlineMs + KILL_AFTER_MS[language];
      const isSpent = (said: unknown) => Growth.parse(said).grownBytes > CHILD[language].growthMb * MB;
      try {
        const pool = (database === undefined ? pools : poolsWithTables)[language];
        return readReport(await pool.call(request, { signal, owner, timeoutMs, answer, isSpent }));
      } catch (error) {
        return killed(error, all);
      }
    },
    [Symbol.dispose]: () => open.dispose(),
  };
}

type SandboxProcess = Pick<ChildPoolSettings, "entry" | "usesSqlite" | "wall">;

const SANDBOX: SandboxProcess = { entry: new URL("./child/sandbox-child.ts", import.meta.url) };
const SANDBOX_WITH_TABLES: SandboxProcess = {
  entry: new URL("./child/tables-sandbox-child.ts", import.meta.url),
  usesSqlite: true,
};

/** Costs nothing until a program of the language runs. */
function openPool(language: GuestLanguageName, process: SandboxProcess): ChildPool {
  return createChildPool({
    ...process,
    readablePaths: language === "python" ? [...CODE_PATHS, IMAGE_FOLDER] : CODE_PATHS,
    memoryMb: CHILD[language].memoryMb,
    size: CHILDREN,
    reserve: RESERVE,
    idleMs: IDLE_MS,
    replaces: true,
    flags: [
      "--expose-gc",
      // A program's objects are in WebAssembly: a large nursery for the process itself would stay empty.
      "--max-semi-space-size=1",
      "--disallow-code-generation-from-strings",
      "--disable-proto=delete",
    ],
  });
}

/** The child's message came through JSON. */
function readReport(said: unknown): SandboxReport {
  const { end, ...rest } = ProgramReport.parse(said);
  return { ...rest, end: end.ok ? readValue(end) : end };
}

function readValue({
  value,
  state,
}: {
  readonly value?: unknown;
  readonly state?: unknown;
}): SandboxReport["end"] {
  const ended = { ok: true, value: JsonValue.parse(value) } as const;
  if (state === undefined) return ended;
  const left = JsonObject.safeParse(state).data;
  if (left !== undefined) return { ...ended, state: left };
  return { ok: false, failure: { code: "invalid_result", message: "wanted a JSON object as the state" } };
}

/** The program may control the child, so every question is checked against what the program was given. */
async function answerQuestion(
  question: unknown,
  { tools, callTool }: Pick<Program, "tools"> & Pick<ProgramHost, "callTool">,
): Promise<ToolOutcome> {
  const { tool, json } = Question.parse(question);
  if (!tools.includes(tool))
    throw new PermanentError(`the program has no tool ${tool}`, { code: "unknown_tool" });
  const { args } = Arguments.parse(JSON.parse(json));
  if (isJsonObject(args)) return callTool(tool, args);
  return { error: { code: "invalid_arguments", message: `${tool}: wanted an object of arguments` } };
}

/** A program that only a kill could stop has used up its time, and its output is unknown. */
function killed(error: unknown, { deadlineMs }: SandboxLimits): SandboxReport {
  if (!(error instanceof PermanentError)) throw error;
  const { code, message } = error;
  if (code !== "deadline_exceeded" && code !== "out_of_memory") throw error;
  const failure: ProgramFailure =
    code === "out_of_memory"
      ? { code, message }
      : { code, message: `the program ran for more than ${deadlineMs} ms` };
  return {
    end: { ok: false, failure },
    logs: [],
    logsCut: true,
    toolCalls: 0,
    durationMs: deadlineMs,
    memoryBytes: 0,
    grownBytes: 0,
  };
}
