/** The duration of read-only tools in their executor's process: which of them are light, and up to which size. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { ToolContext } from "@planwright/executor";
import { createLogger } from "@planwright/shared/service";
import { createDocsIndex } from "../../../services/executor/src/docs/docs-search.ts";
import { createTools } from "../../../services/executor/src/tools/index.ts";
import { testContext } from "../../../services/executor/src/tools/testing/test-context.ts";
import { quantile } from "../measure/statistics.ts";
import type { MetricSpec, RunReading, Workload } from "./workload.ts";

const CALLS = 300;
const LIGHT_MS = 5;

/** One tool with one amount of data. */
type Subject = {
  readonly key: string;
  readonly label: string;
  readonly target?: number;
  readonly tool: string;
  /** The arguments of the call with this number. */
  args(call: number): object;
  /** Writes the data that the tool reads. */
  write?(folder: string): Promise<void>;
  context?(folder: string): Partial<ToolContext>;
};

const SUBJECTS: readonly Subject[] = [
  documents({ files: 64, chars: 4_000, target: LIGHT_MS }),
  documents({ files: 10, chars: 4_000, target: LIGHT_MS }),
  documents({ files: 1_000, chars: 8_000 }),
  table(100),
  table(10_000),
  table(100_000),
  {
    key: "mathEvaluate",
    label: "math.evaluate",
    target: LIGHT_MS,
    tool: "math.evaluate",
    args: (call) => ({
      expression: "roundTo(new / old * sum(list), 1)",
      variables: { new: call, old: 7, list: [1, 2, 3] },
    }),
  },
  {
    key: "flowEcho",
    label: "flow.echo",
    target: LIGHT_MS,
    tool: "flow.echo",
    args: (call) => ({ value: { call } }),
  },
];

export function lightTools(): Workload {
  return {
    name: "light-tools",
    title: `tools that read and need no network, ${CALLS} calls one after the other`,
    warmUp: `${CALLS} calls of each; the first call is a metric of its own`,
    metrics: Object.fromEntries(SUBJECTS.flatMap(metricsOf)),
    async *measure({ runs, say }) {
      for (let run = 1; run <= runs; run += 1) {
        say(`run ${run} of ${runs}`);
        yield await measureAll();
      }
    },
  };
}

function metricsOf({ key, label, target }: Subject): [string, MetricSpec][] {
  const each = { unit: "ms", better: "lower" } as const;
  return [
    [`${key}P99Ms`, { ...each, label: `${label}, p99`, ...(target === undefined ? {} : { target }) }],
    [`${key}P50Ms`, { ...each, label: `${label}, p50` }],
    [`${key}ColdMs`, { ...each, label: `${label}, the first call, with what is opened for it` }],
  ];
}

async function measureAll(): Promise<RunReading> {
  const values: Record<string, number> = {};
  const samples: Record<string, number[]> = {};
  for (const subject of SUBJECTS) {
    const { key } = subject;
    const { coldMs, ms } = await timesOf(subject);
    samples[`${key}Ms`] = ms;
    values[`${key}P99Ms`] = quantile(ms, 0.99);
    values[`${key}P50Ms`] = quantile(ms, 0.5);
    values[`${key}ColdMs`] = coldMs;
  }
  return { values, samples };
}

async function timesOf(subject: Subject): Promise<{ coldMs: number; ms: number[] }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-bench-"));
  try {
    await subject.write?.(folder);
    const log = createLogger({ name: "bench", level: "silent" });
    const openedAt = performance.now();
    const docs = createDocsIndex({ folder, now: () => performance.now() });
    await docs.fillIfSmall(log);
    using made = createTools({
      docs,
      httpFetchAllow: [],
      mail: { from: { name: "", address: "bench@example.org" } },
    });
    const tool = made.tools.find(({ spec }) => spec.name === subject.tool);
    if (tool === undefined) throw new Error(`there is no tool ${subject.tool}`);
    const context = testContext(subject.context?.(folder));
    await tool.run(subject.args(0), context);
    const coldMs = performance.now() - openedAt;
    const call = (index: number) => tool.run(subject.args(index), context);
    await timed(call);
    return { coldMs, ms: await timed(call) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timed(call: (index: number) => Promise<unknown>): Promise<number[]> {
  const ms: number[] = [];
  for (let index = 1; index <= CALLS; index += 1) {
    const before = performance.now();
    await call(index);
    ms.push(performance.now() - before);
  }
  return ms;
}

/** A table in a CSV file, and the sum of one of its columns grouped by another. */
function table(rows: number): Subject {
  return {
    key: `sql${rows}`,
    label: `sql.query, a sum over ${rows} rows`,
    tool: "sql.query",
    args: (call) => ({
      source: "sales",
      sql: `SELECT region, SUM(amount) AS total FROM sales WHERE id <> ${call} GROUP BY region`,
    }),
    async write(folder) {
      const lines = Array.from({ length: rows }, (_, row) => `${row},region ${row % 17},${row % 1_000}`);
      await writeFile(path.join(folder, "sales.csv"), ["id,region,amount", ...lines].join("\n"));
    },
    context: (folder) => {
      const file = path.join(folder, "sales.csv");
      const source = { name: "sales", kind: "csv", writable: false, path: file } as const;
      return { sources: { list: async () => [source], open: async () => source } };
    },
  };
}

const WORDS = Array.from({ length: 3_000 }, (_, word) => `word${word.toString(36)}`);
const LINE_WORDS = 60;
const SECTION_LINES = 3;
const QUERY_WORDS = 5;

/** Words with the frequencies of a natural language, and queries of five such words. */
function documents({
  files,
  chars,
  target,
}: {
  readonly files: number;
  readonly chars: number;
  readonly target?: number;
}): Subject {
  const next = words();
  const line = (count: number): string => Array.from({ length: count }, next).join(" ");
  return {
    key: `docs${files}x${chars}`,
    label: `docs.search in ${files} files of ${chars} characters`,
    ...(target === undefined ? {} : { target }),
    tool: "docs.search",
    args: () => ({ query: line(QUERY_WORDS) }),
    async write(folder) {
      for (let file = 0; file < files; file += 1) {
        let text = "";
        for (let lines = 0; text.length < chars; lines += 1) {
          text += lines % SECTION_LINES === 0 ? `# ${line(2)}\n\n` : `${line(LINE_WORDS)}\n\n`;
        }
        await writeFile(path.join(folder, `${file}.md`), text.slice(0, chars));
      }
    },
  };
}

/** The n-th word occurs about as often as every n-th word; the same words each time. */
function words(): () => string {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return WORDS[Math.floor(WORDS.length ** (state / 2_147_483_647)) - 1] ?? "word";
  };
}
