import {
  AnswerStatus,
  checkChanges,
  checkProgram,
  type DataRules,
  JsonValue,
  RowChange,
  violationsInWords,
} from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { readChangeset } from "../changeset/read-changeset.ts";
import {
  PROGRAM_LANGUAGES,
  type ProgramAnswer,
  readProgramAnswer,
  toGuestProgram,
} from "./answer-program.ts";
import { CODE_CHARS_MAX } from "../sandbox/program.ts";
import type { Sandbox, SandboxReport } from "../sandbox/sandbox.ts";
import type { Snapshot } from "../sql/snapshot.ts";
import type { SqlRunner } from "../sql/sql-runner.ts";
import { failed } from "./code-run.ts";
import { defineTool, type OpenSource, type Tool } from "../tools/define-tool.ts";
import { openSource } from "../sql/sql-query.ts";

const REQUEST_CHARS_MAX = 20_000;
/** The end of the program's output is kept. */
const LOGS_CHARS_MAX = 4_000;
/** A larger output becomes an artifact, which conditions cannot read. */
const OUTPUT_BYTES_MAX = 60 * 1024;

const Output = z.object({
  /** The answer: `text`, `status`, and `data` with `rows` and `json` if the program set them. */
  text: z.string(),
  status: AnswerStatus,
  data: z.object({ rows: z.array(JsonValue).optional(), json: JsonValue.optional() }),
  changed: z.boolean(),
  changes: z.array(RowChange),
  /** The changes as SQLite applies them, in base64; empty when nothing changes. */
  changeset: z.string(),
  logs: z.array(z.string()),
  durationMs: z.number(),
});
type Output = z.infer<typeof Output>;

export type DryRunDeps = {
  readonly sql: SqlRunner;
  readonly sandbox: Sandbox;
  /** Unix time in milliseconds. */
  readonly now: () => number;
};

/** Runs a program on a copy of a data source, and returns its answer and the changes that it would make. */
export function dataDryrun({ sql, sandbox, now }: DryRunDeps): Tool {
  return defineTool({
    name: "data.dryrun",
    description:
      "Run a program on a copy of a data source. It reads and changes rows through `tables` (in Python, TinyDB tables `NAME_tbl`) and sets `answer_text` and `STATUS`. " +
      'The source itself does not change. Output: {"text": "…", "status": "success", "data": {}, "changed": true, "changes": [...], "changeset": "…"}; refer to it as {"$ref": "s1.output.changes"}.',
    input: z.strictObject({
      source: z.string().min(1).max(200).describe("Name of the data source."),
      language: z.enum(PROGRAM_LANGUAGES).describe("Language of `code`."),
      code: z
        .string()
        .max(CODE_CHARS_MAX)
        // Not trimmed, to keep line numbers.
        .regex(/\S/, "wanted a program")
        .describe("The program."),
      request: z
        .string()
        .max(REQUEST_CHARS_MAX)
        .default("")
        .describe("Available to the program as `user_request`."),
      readOnly: z.boolean().default(false).describe("True if the program must not change anything."),
    }),
    output: Output,
    risk: "low",
    effect: "read",
    timeoutMs: 60_000,
    run: async ({ source: name, language, code, request, readOnly }, { sources, signal, owner }) => {
      refuseForbidden({ language, code });
      const source = await openSource(sources, name, signal);
      const snapshot = await sql.snapshot(source, { running: runningOf(source.rules), signal, owner });
      const program = {
        ...toGuestProgram(language, code),
        input: request,
        tools: [],
        nowMs: now(),
        database: snapshot,
      };
      const report = await sandbox.run(program, { signal, owner, callTool: refuseCall });
      return judge(report, { source, snapshot, readOnly });
    },
  });
}

/** @throws {PermanentError} `forbidden_code`, listing every violation. */
function refuseForbidden(program: Parameters<typeof checkProgram>[0]): void {
  const issues = checkProgram(program);
  if (issues.length === 0) return;
  throw new PermanentError(issues.map(({ message }) => message).join("; "), { code: "forbidden_code" });
}

function runningOf(rules: DataRules | undefined): Record<string, string> {
  const columns = Object.entries(rules ?? {}).flatMap(([table, { running }]) =>
    running === undefined ? [] : [[table, running.balance] as const],
  );
  return Object.fromEntries(columns);
}

type Basis = { readonly source: OpenSource; readonly snapshot: Snapshot; readonly readOnly: boolean };

function judge(
  { end, logs, changeset = new Uint8Array(), durationMs }: SandboxReport,
  { source, snapshot, readOnly }: Basis,
): Output {
  if (!end.ok) throw failed(end.failure, logs);
  const answer = readProgramAnswer(end.value);
  const columnsOf = (table: string) => snapshot.tables.find(({ name }) => name === table)?.columns;
  const changes = readChangeset(changeset, columnsOf);
  const violations = checkChanges(changes, {
    rules: source.rules,
    readOnly: whyReadOnly(answer, { source, readOnly }),
    balances: new Map(Object.entries(snapshot.balances)),
  });
  const [first] = violations;
  if (first !== undefined) {
    const code = first.code === "read_only" ? "read_request_changed" : "rules_broken";
    throw new PermanentError(violationsInWords(violations), { code });
  }
  const { text, status, rows, json } = answer;
  const output: Output = {
    text,
    status,
    data: { ...(rows === undefined ? {} : { rows: [...rows] }), ...(json === undefined ? {} : { json }) },
    changed: changes.length > 0,
    changes,
    changeset: changes.length > 0 ? Buffer.from(changeset).toString("base64") : "",
    logs: lastOf(logs),
    durationMs,
  };
  const bytes = Buffer.byteLength(JSON.stringify(output));
  if (bytes <= OUTPUT_BYTES_MAX) return output;
  const message = `the answer and the changes take ${bytes} bytes, the limit is ${OUTPUT_BYTES_MAX}`;
  throw new PermanentError(message, { code: "result_too_large" });
}

function whyReadOnly(
  { status, action }: ProgramAnswer,
  { source, readOnly }: Pick<Basis, "source" | "readOnly">,
): string | undefined {
  if (!source.writable) return `the source ${source.name} is read-only`;
  if (readOnly) return "the request only reads";
  if (action === "read") return 'the program sets ACTION to "read"';
  return status === "success" ? undefined : `a request that ends as ${status} changes nothing`;
}

function lastOf(logs: readonly string[]): string[] {
  let left = LOGS_CHARS_MAX;
  const kept: string[] = [];
  for (const line of logs.toReversed()) {
    left -= line.length;
    if (left < 0) break;
    kept.unshift(line);
  }
  return kept;
}

async function refuseCall(): Promise<never> {
  throw new PermanentError("no tools are available to the program", { code: "unknown_tool" });
}
