/**
 * Model calls, by model and calling component, as reported to this gateway since it started.
 *
 * Names, labels and buckets are those of OpenTelemetry's conventions for generative AI (semantic-conventions-genai 0.1.0:
 * `gen_ai.client.inference.duration` in seconds, counters `gen_ai.client.inference.usage.*`, histograms
 * `gen_ai.client.inference.operation.*`), in Prometheus spelling. `gen_ai.agent.name` is added: the calling component.
 */
import { parseJson } from "@planwright/plan";
import { type Bus, MODEL_CALLS } from "@planwright/shared/bus";
import { ToldCall } from "@planwright/shared/model";
import { labelValue, type Metric } from "./render-metrics.ts";

/** Further models are counted as one, to limit the number of labels: plans can use any model name. */
const MODELS_MAX = 50;
const ERRORS_MAX = 30;
const OTHER_MODELS = "others";
/** OpenTelemetry's label for an error without a name. */
const OTHER_ERRORS = "_OTHER";
const MS_PER_SECOND = 1_000;

const DURATION_S = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/** Cached and reasoning tokens are parts of the input and the output. */
const USAGES = [
  { part: "input", name: "input_tokens", help: "Input tokens of model calls" },
  { part: "output", name: "output_tokens", help: "Output tokens of model calls" },
  {
    part: "cacheRead",
    name: "cache_read_input_tokens",
    help: "Input tokens read from the server's prompt cache",
  },
  {
    part: "cacheWrite",
    name: "cache_write_input_tokens",
    help: "Input tokens written to the server's prompt cache",
  },
  { part: "reasoning", name: "reasoning_output_tokens", help: "Output tokens used for reasoning" },
] as const;

export type ModelTally = { metrics(): Metric[] };

export function createModelTally(): ModelTally & { note(call: ToldCall): void } {
  const durations = new Map<string, Histogram>();
  const inputs = new Map<string, Histogram>();
  const outputs = new Map<string, Histogram>();
  const used = new Map(USAGES.map(({ part }) => [part, new Map<string, number>()]));
  const modelOf = fewOf(MODELS_MAX, OTHER_MODELS);
  const errorOf = fewOf(ERRORS_MAX, OTHER_ERRORS);
  return {
    note({ role, model, durationMs, tokens, error }) {
      const labels = [
        'gen_ai_operation_name="chat",gen_ai_provider_name="openai"',
        `gen_ai_request_model="${labelValue(modelOf(model))}"`,
        `gen_ai_agent_name="${labelValue(role)}"`,
        `error_type="${error === undefined ? "" : labelValue(errorOf(error))}"`,
      ].join(",");
      histogramIn(durations, labels, DURATION_S).observe(durationMs / MS_PER_SECOND);
      if (tokens === undefined) return;
      histogramIn(inputs, labels, TOKENS).observe(tokens.input);
      histogramIn(outputs, labels, TOKENS).observe(tokens.output);
      // Prompts and replies are text.
      const series = `${labels},gen_ai_token_modality="text"`;
      for (const { part } of USAGES) {
        // A part that a server does not report separately counts as zero, so that its series exists from the first call.
        const sums = used.get(part);
        sums?.set(series, (sums.get(series) ?? 0) + (tokens[part] ?? 0));
      }
    },
    metrics: () => [
      histogramMetric(
        "gen_ai_client_inference_duration_seconds",
        "Duration of model calls including retries, since this gateway started.",
        durations,
      ),
      ...USAGES.map(
        ({ part, name, help }): Metric => ({
          name: `gen_ai_client_inference_usage_${name}_total`,
          help: `${help}, as reported by model servers, since this gateway started.`,
          type: "counter",
          values: used.get(part) ?? [],
        }),
      ),
      histogramMetric(
        "gen_ai_client_inference_operation_input_tokens",
        "Input tokens per model call, as reported by model servers.",
        inputs,
      ),
      histogramMetric(
        "gen_ai_client_inference_operation_output_tokens",
        "Output tokens per model call, as reported by model servers.",
        outputs,
      ),
    ],
  };
}

/** Counts the model calls that services report. */
export function keepModelTally(bus: Bus): ModelTally & Disposable {
  const tally = createModelTally();
  const subscription = bus.connection.subscribe(MODEL_CALLS, {
    callback(error, message) {
      const call = error === null ? ToldCall.safeParse(parseJson(message.string())).data : undefined;
      if (call !== undefined) tally.note(call);
    },
  });
  return { metrics: () => tally.metrics(), [Symbol.dispose]: () => subscription.unsubscribe() };
}

function histogramIn(
  histograms: Map<string, Histogram>,
  labels: string,
  bounds: readonly number[],
): Histogram {
  const histogram = histograms.get(labels) ?? createHistogram(bounds);
  histograms.set(labels, histogram);
  return histogram;
}

/** Keeps the first `max` names unchanged and maps all others to one. */
function fewOf(max: number, others: string): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < max) known.add(name);
    return known.has(name) ? name : others;
  };
}

type Histogram = {
  observe(value: number): void;
  /** Each bound with the number of values not above it, in ascending order. */
  classes(): readonly (readonly [bound: number, count: number])[];
  readonly sum: number;
  readonly count: number;
};

/** @param bounds - The upper bounds of its buckets, ascending; values above all of them are counted too. */
function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    observe(value) {
      sum += value;
      count += 1;
      const index = bounds.findIndex((bound) => value <= bound);
      if (index !== -1) counts[index] = (counts[index] ?? 0) + 1;
    },
    classes() {
      let below = 0;
      return bounds.map((bound, index) => [bound, (below += counts[index] ?? 0)] as const);
    },
    get sum() {
      return sum;
    },
    get count() {
      return count;
    },
  };
}

/** @param histograms - By their labels; each has at least one label. */
function histogramMetric(name: string, help: string, histograms: ReadonlyMap<string, Histogram>): Metric {
  const values = Array.from(histograms).flatMap(([labels, histogram]): [string, number, string][] => [
    ...histogram
      .classes()
      .map(([bound, count]): [string, number, string] => [`${labels},le="${bound}"`, count, "_bucket"]),
    [`${labels},le="+Inf"`, histogram.count, "_bucket"],
    [labels, histogram.sum, "_sum"],
    [labels, histogram.count, "_count"],
  ]);
  return { name, help, type: "histogram", values };
}
