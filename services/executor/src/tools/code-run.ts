import { JsonValue } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { CODE_CHARS_MAX, type ProgramFailure } from "../sandbox/program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { stripTypes } from "../sandbox/strip-types.ts";
import { defineTool, type Tool } from "./define-tool.ts";

/** Of what a failed program wrote last, in the step's error. */
const LOGGED_CHARS_MAX = 1_000;

/** A program that nobody has read, over data that it is given; it reaches nothing else. */
export function codeRun({
  sandbox,
  now,
}: {
  readonly sandbox: Sandbox;
  /** In milliseconds of Unix time. */
  readonly now: () => number;
}): Tool {
  return defineTool({
    name: "code.run",
    description:
      "Run a small program in a sandbox without network, files or timers, for what no other tool calculates: reshape, " +
      "match, simulate, count. `code` is the body of a function: it reads `input`, may write with console.log, and returns a JSON value. " +
      '{"language": "javascript", "code": "return input.rows.filter((row) => row.total > 10).length", "input": {"rows": {"$ref": "s1.output.rows"}}}. ' +
      'Output: {"result": 3, "logs": [], "durationMs": 2, "memoryBytes": 80000}; refer to it as {"$ref": "s2.output.result"}.',
    input: z.strictObject({
      language: z.enum(["javascript", "typescript"]).describe("What `code` is written in."),
      code: z.string().trim().min(1).max(CODE_CHARS_MAX).describe("The body of a function."),
      input: JsonValue.describe("What the program finds as `input`; null when absent.").optional(),
    }),
    output: z.object({
      result: JsonValue,
      logs: z.array(z.string()),
      durationMs: z.number(),
      memoryBytes: z.number(),
    }),
    risk: "low",
    effect: "read",
    timeoutMs: 60_000,
    run: async ({ language, code, input = null }, { signal }) => {
      const program = {
        language: "javascript" as const,
        code: language === "typescript" ? stripTypes(code) : code,
        input,
        tools: [],
        nowMs: now(),
      };
      const report = await sandbox.run(program, { signal, callTool: refuseCall });
      const { end, logs, durationMs, memoryBytes } = report;
      if (!end.ok) throw failed(end.failure, logs);
      return { result: end.value, logs: [...logs], durationMs, memoryBytes };
    },
  });
}

function failed({ code, message, line }: ProgramFailure, logs: readonly string[]): PermanentError {
  const where = line === undefined ? "" : `line ${line}: `;
  const logged = logs.join("\n").slice(-LOGGED_CHARS_MAX);
  return new PermanentError(`${where}${message}${logged === "" ? "" : `; it wrote: ${logged}`}`, { code });
}

async function refuseCall(tool: string): Promise<never> {
  throw new PermanentError(`the program was given no tool, and calls ${tool}`, { code: "unknown_tool" });
}
