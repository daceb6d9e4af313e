import { CODE_RUN, JsonObject, JsonValue, ToolName, type Turn } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { z } from "zod";
import { CODE_CHARS_MAX, type ProgramFailure } from "../sandbox/program.ts";
import type { ProgramHost, Sandbox, ToolOutcome } from "../sandbox/sandbox.ts";
import { stripTypes } from "../sandbox/strip-types.ts";
import {
  defineTool,
  type Tool,
  type ToolContext,
  type AskedTurn,
  type NewTurn,
  type ToolDesk,
} from "../tools/define-tool.ts";
import { isSameCall, refuseOther } from "../steps/pending-call.ts";

/** Tail of a failed program's output that is included in the step's error. */
const LOGGED_CHARS_MAX = 1_000;
const TOOLS_MAX = 32;

/** Runs an untrusted program over given data and the tools that it names; it can reach nothing else. */
export function codeRun({
  sandbox,
  now,
}: {
  readonly sandbox: Sandbox;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}): Tool {
  return defineTool({
    name: CODE_RUN,
    description:
      "Run a small program in a sandbox (no network, files or timers) for work that no other tool does: reshape, match, simulate, count. `code` is a function body that reads `input` and returns a JSON value; in Python, a module that reads `input` and sets `result`. " +
      "It can call the tools listed in `tools`, without await: tools.docs.search({query}). " +
      "Output: {result, state, logs}.",
    input: z.strictObject({
      language: z.enum(["javascript", "typescript", "python"]),
      code: z.string().trim().min(1).max(CODE_CHARS_MAX).describe("The program."),
      input: JsonValue.describe("Any JSON value.").optional(),
      state: JsonObject.describe(
        'Kept between runs: {} at first, then {"$ref": "s1.output.state"}.',
      ).optional(),
      tools: z.array(ToolName).max(TOOLS_MAX).describe("Tools it may call.").optional(),
    }),
    output: z.object({
      result: JsonValue,
      logs: z.array(z.string()),
      durationMs: z.number(),
      memoryBytes: z.number(),
      toolCalls: z.number(),
      state: JsonObject.optional(),
    }),
    risk: "low",
    effect: "read",
    timeoutMs: 300_000,
    run: async ({ language, code, input = null, state, tools = [] }, context) => {
      const host = tools.length === 0 ? withoutTools(now) : await withTools(tools, context);
      const program = {
        language: language === "python" ? language : ("javascript" as const),
        code: language === "typescript" ? stripTypes(code) : code,
        input,
        state,
        tools,
        nowMs: host.nowMs,
      };
      const { signal, owner } = context;
      const report = await sandbox.run(program, { signal, owner, callTool: host.callTool });
      const { end, logs, durationMs, memoryBytes, toolCalls } = report;
      context.log.debug({ ok: end.ok, durationMs, memoryBytes, toolCalls }, "program ended");
      if (!end.ok) throw failed(end.failure, logs);
      host.end();
      const left = end.state === undefined ? {} : { state: end.state };
      return { result: end.value, logs: [...logs], durationMs, memoryBytes, toolCalls, ...left };
    },
  });
}

type Stage = Pick<ProgramHost, "callTool"> & {
  readonly nowMs: number;
  /** Called when the program has returned. */
  readonly end: () => void;
};

function withoutTools(now: () => number): Stage {
  return { nowMs: now(), callTool: refuseCall, end: () => undefined };
}

/** Takes the clock from the log, so that a re-run behaves the same. */
async function withTools(tools: readonly string[], { desk }: ToolContext): Promise<Stage> {
  if (desk === undefined) throw new PermanentError("no tools are available", { code: "no_desk" });
  await desk.specs(tools);
  const [began, calls] = await Promise.all([desk.began(), replayCalls(desk)]);
  return { nowMs: began.getTime(), callTool: calls.call, end: calls.end };
}

export function failed({ code, message, line }: ProgramFailure, logs: readonly string[]): PermanentError {
  const where = line === undefined ? "" : `line ${line}: `;
  const logged = logs.join("\n").slice(-LOGGED_CHARS_MAX);
  return new PermanentError(`${where}${message}${logged === "" ? "" : `; it wrote: ${logged}`}`, { code });
}

async function refuseCall(tool: string): Promise<never> {
  throw new PermanentError(`the program calls ${tool}, but no tools are available to it`, {
    code: "unknown_tool",
  });
}

/**
 * The calls of a program, replayed from the log as far as it goes. A program that runs again with the same input, clock and
 * random numbers makes the same calls: those that have returned are answered from the log, so that none is made twice, and the
 * program continues where the last attempt of its step ended.
 */
export type ReplayedCalls = {
  /**
   * Answers the program's next call.
   *
   * @throws {PermanentError} `replay_diverged` when the log has a different call at this position.
   * @throws Whatever interrupts the attempt: a call that needs approval, a cancelled plan.
   */
  readonly call: (tool: string, args: JsonObject) => Promise<ToolOutcome>;
  /** @throws {PermanentError} `replay_diverged` when the program has ended before a call that the log has. */
  readonly end: () => void;
};

export async function replayCalls(desk: ToolDesk): Promise<ReplayedCalls> {
  let turns: readonly NewTurn[] = (await desk.recorded()).turns;
  let made = 0;
  // Only the first new call can be one that the last attempt had started or requested approval for.
  let isFirst = true;

  async function take(asked: AskedTurn): Promise<NewTurn> {
    const begun = isFirst ? await desk.goOn(asked) : undefined;
    isFirst = false;
    const turn = begun ?? (mayBeMade(asked, turns) ? await desk.call(asked) : unknown(asked));
    if (await desk.record(turn)) {
      turns = [...turns, turn];
      return turn;
    }
    // Another worker recorded the call first: the program gets that worker's result.
    ({ turns } = await desk.recorded());
    const stored = turns[asked.turn - 1];
    if (stored === undefined) throw new TransientError(`the log does not show call ${asked.turn} yet`);
    refuseOther(stored, asked);
    return stored;
  }

  return {
    async call(tool, args) {
      made += 1;
      const asked = { turn: made, thought: "", tool, args };
      const recorded = turns[made - 1];
      if (recorded !== undefined) refuseOther(recorded, asked);
      return outcomeOf(desk, recorded ?? (await take(asked)));
    },
    end() {
      if (made >= turns.length) return;
      throw new PermanentError(
        `the program ended after ${made} calls, but made ${turns.length} before: it is not deterministic`,
        { code: "replay_diverged" },
      );
    },
  };
}

async function outcomeOf(desk: ToolDesk, { output, error }: NewTurn): Promise<ToolOutcome> {
  if (output !== undefined) return { output: await desk.read(output) };
  return { error: error ?? { code: "failed", message: "the call failed" } };
}

/** A call with an unknown outcome is not repeated. */
function mayBeMade(
  asked: AskedTurn,
  turns: readonly Pick<Turn, "tool" | "args" | "proposed" | "uncertain">[],
): boolean {
  return !turns.some((turn) => turn.uncertain === true && isSameCall(turn, asked));
}

function unknown(asked: AskedTurn): NewTurn {
  const message = "this call was made before, and it is unknown whether it took effect";
  return { ...asked, error: { code: "repeated_call", message } };
}
