/** Runs untrusted programs: in WebAssembly, in a child process that may do nothing and can be killed. */
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
/** For programs of plans and tenants that have none running: an endless one makes no other plan wait. */
const RESERVE = 2;
/**
 * Of a child in MB. One that has grown by more than `growthMb` since it started gives way to a new one, before a program
 * that needs little pays for another's. One for Python holds the image of its language besides.
 */
const CHILD: Readonly<Record<GuestLanguageName, { readonly memoryMb: number; readonly growthMb: number }>> = {
  javascript: { memoryMb: 192, growthMb: 64 },
  python: { memoryMb: 352, growthMb: 176 },
};
/** Programs come in bursts: the next one of a plan that waits for a model finds its process warm. */
const IDLE_MS = 600_000;
const MB = 1024 * 1024;
const GUEST_MEMORY_BYTES = 64 * 1024 * 1024;
const DEADLINE_MS = 10_000;
/** What a program has beyond its deadline, to be opened, and to come out of native loops, which look at none. */
const KILL_AFTER_MS: Readonly<Record<GuestLanguageName, number>> = { javascript: 500, python: 3_000 };

export type Program = {
  readonly language: GuestLanguageName;
  /**
   * Of JavaScript: the body of an async function of `tools`, `console` and `input`; what it returns is the result.
   * Of Python: a module, whose `result` it is, or its `answer_text`, `STATUS`, `answer_rows` and `answer_json`.
   */
  readonly code: string;
  readonly input: Json;
  /** What the program finds as `state`, and may change; there is no such name when absent. */
  readonly state?: JsonObject | undefined;
  /** Names of tools; the program finds `docs.search` as `tools.docs.search(args)`. */
  readonly tools: readonly string[];
  /** What the program finds as `tables`, of which it is given a copy; there is no such name when absent. */
  readonly database?: GuestDatabase | undefined;
  /** What the program's clock shows, in milliseconds of Unix time. */
  readonly nowMs: number;
};

export type ToolOutcome =
  | { readonly output: Json }
  | { readonly error: { readonly code: string; readonly message: string } };

export type ProgramHost = {
  readonly signal: AbortSignal;
  /** For which plan it runs. */
  readonly owner?: CallOwner | undefined;
  /** Runs a tool while the program stands still. What it throws ends the program. */
  readonly callTool: (tool: string, args: JsonObject) => Promise<ToolOutcome>;
};

export type SandboxReport = Omit<ProgramReport, "end"> & {
  readonly end:
    | {
        readonly ok: true;
        readonly value: Json;
        /** As the program has left it. */
        readonly state?: JsonObject;
      }
    | { readonly ok: false; readonly failure: ProgramFailure };
};

export type Sandbox = Disposable & {
  /**
   * Runs a program to its end. How the program ended is in the report, also when it failed.
   *
   * @throws {TransientError} When too many programs wait, or the child ended by itself.
   * @throws The signal's reason when it aborts; what `callTool` throws.
   */
  run(program: Program, host: ProgramHost): Promise<SandboxReport>;
};

/** What a report says of its process; the report as a whole is read once. */
const Growth = ProgramReport.pick({ grownBytes: true });
const Question = z.strictObject({ tool: z.string(), json: z.string() });
const Arguments = z.strictObject({ args: JsonValue });

/**
 * @param limits - Of one program: 10 s, 64 MiB, 1,000 tool calls, 256 KiB of log and 1 MiB of result when absent.
 * @param wall - What the processes of programs run behind; nothing when absent.
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
      // What a program makes is in WebAssembly: a large nursery for the process itself would stand empty.
      "--max-semi-space-size=1",
      "--disallow-code-generation-from-strings",
      "--disable-proto=delete",
    ],
  });
}

/** What the child sends came through JSON. */
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

/** The child may be in the program's hands: what it asks is held against what was given to the program. */
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

/** A program that only a kill could stop has used up what it had, and nothing is known of what it wrote. */
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
