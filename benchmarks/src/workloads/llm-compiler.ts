/** The LLM Compiler simulation: the same questions in four modes, on the real system with a slow model. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ModelName } from "../llm-compiler/model/latency.ts";
import { startSimulatedModel, type SimulatedModel } from "../llm-compiler/model/start-simulated-model.ts";
import { type Mode, MODES, type ModeDeps, runMode } from "../llm-compiler/modes/run-mode.ts";
import { readMovies } from "../llm-compiler/questions/movies.ts";
import { readParallelQa } from "../llm-compiler/questions/parallel-qa.ts";
import type { Question } from "../llm-compiler/questions/question.ts";
import { type SearchService, startSearchService } from "../llm-compiler/start-search-service.ts";
import { mean } from "../measure/statistics.ts";
import { startBenchSystem } from "../system/start-bench-system.ts";
import { connectPlanClient } from "../system/plan-client.ts";
import type { MetricSpec, RunReading, Workload, WorkloadContext } from "./workload.ts";

const DATA = path.join(import.meta.dirname, "../../data/llmcompiler");
/** The small model that reads results, and that the planner may be too. */
const SMALL: ModelName = "gpt-3.5";

const LABELS: Readonly<Record<Mode, string>> = {
  streaming: "streaming dispatch",
  planned: "plan without streaming",
  batched: "batched calls",
  react: "sequential reason-act",
};

type DataSet = {
  readonly name: string;
  readonly title: string;
  readonly planner: ModelName;
  readonly targetS: number;
  /** Questions at a time: as many as leave the processors mostly idle, since all of them mostly wait. */
  readonly concurrency: number;
  readonly read: () => Promise<Question[]>;
};

export function llmCompilerWorkloads(): Workload[] {
  return [
    workloadOf({
      name: "llm-parallelqa",
      title: "LLM Compiler simulation, ParallelQA: gpt-4 plans, gpt-3.5 reads results",
      planner: "gpt-4",
      targetS: 12,
      concurrency: 15,
      read: async () =>
        readParallelQa({
          dataset: await dataFile("parallelqa_dataset.json"),
          plans: await dataFile("parallelqa_plans.txt"),
          entities: await dataFile("parallelqa_entities.tsv"),
        }),
    }),
    workloadOf({
      name: "llm-movie",
      title: "LLM Compiler simulation, movie recommendations: gpt-3.5 plans and reads results",
      planner: SMALL,
      targetS: 4.2,
      concurrency: 6,
      read: async () => readMovies(await dataFile("movie_recommendations_formatted.json")),
    }),
  ];
}

function workloadOf(set: DataSet): Workload {
  const specs = (key: string, of: (mode: Mode) => MetricSpec): [string, MetricSpec][] =>
    MODES.map((mode) => [`${mode}${key}`, of(mode)]);
  return {
    name: set.name,
    title: `${set.title}; mean seconds to a right answer`,
    warmUp: "one question in each mode",
    metrics: Object.fromEntries([
      ...specs("S", (mode) => ({
        label: LABELS[mode],
        unit: "s",
        better: "lower",
        ...(mode === "streaming" ? { target: set.targetS } : {}),
      })),
      ...specs("Calls", (mode) => ({ label: `${LABELS[mode]}: model calls`, unit: "", better: "lower" })),
      ...specs("Tokens", (mode) => ({ label: `${LABELS[mode]}: tokens`, unit: "", better: "lower" })),
      ["questions", { label: "questions, each answered rightly in each mode", unit: "", better: "higher" }],
    ]),
    floors: ["plannedS", "batchedS", "reactS"],
    measure: (context) => measure(set, context),
  };
}

async function* measure(
  set: DataSet,
  { questions, profileDir, say }: WorkloadContext,
): AsyncGenerator<RunReading> {
  await using cleanup = new AsyncDisposableStack();
  const all = await set.read();
  const sample = sampleOf(all, questions);
  const model = cleanup.use(await startSimulatedModel(all));
  const search = cleanup.use(await startSearchService(all));
  const system = cleanup.use(
    await startBenchSystem({
      profileDir,
      entries: { executor: "benchmarks/src/llm-compiler/search-executor.ts" },
      env: {
        OPENAI_BASE_URL: model.url,
        SEARCH_URL: search.url,
        PLANNER_MODEL: set.planner,
        PLANNER_FORMAT: "lines",
        EXECUTOR_MODEL: SMALL,
        REFLECTOR_MODEL: SMALL,
      },
    }),
  );
  const client = cleanup.use(await connectPlanClient(system.url));
  const deps = {
    client,
    modelUrl: model.url,
    model: set.planner,
    concurrency: set.concurrency,
    search,
    simulated: model,
  };
  say("warming up");
  for (const mode of MODES) await answer(mode, sample.slice(0, 1), deps);

  const values: Record<string, number> = { questions: sample.length };
  const samples: Record<string, readonly number[]> = {};
  let searched: readonly string[] | undefined;
  for (const mode of MODES) {
    say(`${LABELS[mode]}, ${sample.length} questions`);
    const { seconds, calls, tokens, queries } = await answer(mode, sample, deps);
    searched ??= queries;
    if (!isDeepStrictEqual(queries, searched)) throw new Error(`${mode} has searched for other things`);
    Object.assign(values, {
      [`${mode}S`]: mean(seconds),
      [`${mode}Calls`]: calls,
      [`${mode}Tokens`]: tokens,
    });
    samples[`${mode}S`] = seconds;
  }
  yield { values, samples };
}

async function answer(
  mode: Mode,
  questions: readonly Question[],
  { search, simulated, ...deps }: ModeDeps & { search: SearchService; simulated: SimulatedModel },
) {
  simulated.setStreaming(mode !== "planned");
  simulated.takeTallies();
  search.takeQueries();
  const answered = await runMode(mode, questions, deps);
  const tallies = [...simulated.takeTallies().values()];
  return {
    seconds: answered.map(({ seconds }) => seconds),
    calls: tallies.reduce((sum, { calls }) => sum + calls, 0) / questions.length,
    tokens:
      tallies.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0) /
      questions.length,
    queries: search.takeQueries(),
  };
}

/** Evenly over the whole set, which is ordered by difficulty. */
function sampleOf(all: readonly Question[], count: number): Question[] {
  if (count >= all.length) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter(
    (question) => question !== undefined,
  );
}

function dataFile(name: string): Promise<string> {
  return readFile(path.join(DATA, name), "utf8");
}
