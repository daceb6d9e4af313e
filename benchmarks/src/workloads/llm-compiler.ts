/** The LLM Compiler simulation: the same questions in four modes, on the real system with a slow model. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ModelName } from "../llm-compiler/model/latency.ts";
import { startSimulatedModel, type SimulatedModel } from "../llm-compiler/model/start-simulated-model.ts";
import { floorOfQuestion } from "../llm-compiler/model/streaming-floor.ts";
import { type Mode, MODES, type ModeDeps, runMode } from "../llm-compiler/modes/run-mode.ts";
import { readHotpotQa } from "../llm-compiler/questions/hotpot-qa.ts";
import { readMovies } from "../llm-compiler/questions/movies.ts";
import { readParallelQa } from "../llm-compiler/questions/parallel-qa.ts";
import type { Question } from "../llm-compiler/questions/question.ts";
import { type SearchService, startSearchService } from "../llm-compiler/start-search-service.ts";
import { foreignCores, readCpu } from "../measure/cpu-usage.ts";
import { mean } from "../measure/statistics.ts";
import { startBenchSystem } from "../system/start-bench-system.ts";
import { connectPlanClient } from "../system/plan-client.ts";
import type { MetricSpec, RunReading, Workload, WorkloadContext } from "./workload.ts";

const DATA = path.join(import.meta.dirname, "../../data/llmcompiler");
/** The small model that reads results, and that can be the planner too. */
const SMALL: ModelName = "gpt-3.5";
/** Target for streaming dispatch relative to its floor. */
const RATIO_MAX = 1.03;
/** Questions mostly wait, so the processors stay mostly idle. A planner writes 8 drafts at a time: more would have to wait. */
const QUESTIONS_AT_A_TIME = 6;

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
  readonly read: () => Promise<Question[]>;
};

export function llmCompilerWorkloads(): Workload[] {
  return [
    workloadOf({
      name: "llm-parallelqa",
      title: "LLM Compiler simulation, ParallelQA: gpt-4 plans, gpt-3.5 reads results",
      planner: "gpt-4",
      read: async () =>
        readParallelQa({
          dataset: await dataFile("parallelqa_dataset.json"),
          plans: await dataFile("parallelqa_plans.txt"),
          entities: await dataFile("parallelqa_entities.tsv"),
        }),
    }),
    workloadOf({
      name: "llm-hotpotqa",
      title: "LLM Compiler simulation, HotpotQA comparisons: gpt-3.5 plans and reads results",
      planner: SMALL,
      read: async () =>
        readHotpotQa({
          dataset: await dataFile("hotpotqa_comparison_120.json"),
          plans: await dataFile("hotpotqa_plans.txt"),
        }),
    }),
    workloadOf({
      name: "llm-movie",
      title: "LLM Compiler simulation, movie recommendations: gpt-3.5 plans and reads results",
      planner: SMALL,
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
      ...specs("S", (mode) => ({ label: LABELS[mode], unit: "s", better: "lower" })),
      ["floorS", { label: "its floor, the simulated latencies alone", unit: "s", better: "lower" }],
      [
        "overFloor",
        {
          label: "streaming dispatch over its floor",
          unit: "",
          better: "lower",
          target: RATIO_MAX,
        },
      ],
      ...specs("Calls", (mode) => ({ label: `${LABELS[mode]}: model calls`, unit: "", better: "lower" })),
      ...specs("Tokens", (mode) => ({ label: `${LABELS[mode]}: tokens`, unit: "", better: "lower" })),
      ["questions", { label: "questions, each answered rightly in each mode", unit: "", better: "higher" }],
    ]),
    floors: ["floorS", "plannedS", "batchedS", "reactS"],
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
      executorEntry: "benchmarks/src/llm-compiler/search-executor.ts",
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
    concurrency: QUESTIONS_AT_A_TIME,
    search,
    simulated: model,
  };
  say("warming up");
  for (const mode of MODES) await answer(mode, sample.slice(0, 1), deps);

  const values: Record<string, number> = { questions: sample.length };
  const samples: Record<string, readonly number[]> = {};
  let searched: readonly string[] | undefined;
  let othersCores: number | undefined;
  for (const mode of MODES) {
    say(`${LABELS[mode]}, ${sample.length} questions`);
    const before = await readCpu(system.processes());
    const { seconds, floors, calls, tokens, queries } = await answer(mode, sample, deps);
    searched ??= queries;
    if (!isDeepStrictEqual(queries, searched)) throw new Error(`${mode} has searched for other things`);
    Object.assign(values, {
      [`${mode}S`]: mean(seconds),
      [`${mode}Calls`]: calls,
      [`${mode}Tokens`]: tokens,
    });
    samples[`${mode}S`] = seconds;
    if (mode === "streaming") {
      values["floorS"] = mean(floors);
      values["overFloor"] = mean(seconds) / mean(floors);
      samples["floorS"] = floors;
      othersCores = foreignCores(before, await readCpu(system.processes()));
    }
  }
  yield { values, samples, foreignCores: othersCores };
}

async function answer(
  mode: Mode,
  questions: readonly Question[],
  { search, simulated, ...deps }: ModeDeps & { search: SearchService; simulated: SimulatedModel },
) {
  simulated.setStreaming(mode !== "planned");
  simulated.takeCalls();
  search.takeQueries();
  const answered = await runMode(mode, questions, deps);
  const callsOf = simulated.takeCalls();
  const calls = [...callsOf.values()].flat();
  const tokens = calls.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  return {
    seconds: answered.map(({ seconds }) => seconds),
    /** In seconds; only for streaming dispatch. */
    floors:
      mode === "streaming"
        ? questions.map((question) => floorOfQuestion(question, callsOf.get(question.text) ?? []) / 1_000)
        : [],
    calls: calls.length / questions.length,
    tokens: tokens / questions.length,
    queries: search.takeQueries(),
  };
}

/** Evenly distributed over the whole set: some sets are ordered by difficulty. */
function sampleOf(all: readonly Question[], count: number): Question[] {
  if (count >= all.length) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter(
    (question) => question !== undefined,
  );
}

function dataFile(name: string): Promise<string> {
  return readFile(path.join(DATA, name), "utf8");
}
