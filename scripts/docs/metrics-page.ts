import { tableOf } from "./markdown.ts";

const MODEL_CALL = [
  "gen_ai_operation_name",
  "gen_ai_provider_name",
  "gen_ai_request_model",
  "gen_ai_agent_name",
  "error_type",
] as const;
const MODEL_TOKENS = [...MODEL_CALL, "gen_ai_token_modality"] as const;

/** Labels, and what values they have, by the metric's name. A metric that is not here stops the generation. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  planwright_plans: ["status"],
  planwright_open_plans: [],
  planwright_watchers: [],
  planwright_log_lag: [],
  planwright_traces: [],
  planwright_trace_spans: [],
  planwright_trace_bytes: [],
  planwright_trace_spans_dropped_total: ["reason"],
  planwright_facts_total: ["type"],
  planwright_http_requests_total: ["method", "route", "status"],
  planwright_http_seconds_total: [],
  planwright_plans_ended_total: ["strategy", "outcome"],
  planwright_plan_completion_seconds: ["strategy", "le"],
  planwright_plan_seconds_total: ["strategy"],
  planwright_planning_seconds_total: ["strategy"],
  planwright_planned_seconds_total: ["strategy"],
  planwright_plan_steps_total: ["strategy"],
  planwright_plan_steps_failed_total: ["strategy"],
  planwright_replans_total: ["strategy"],
  planwright_decisions_total: ["strategy"],
  planwright_human_edits_total: ["strategy", "kind"],
  planwright_mutations_total: ["strategy", "effect"],
  planwright_tool_calls_total: ["strategy"],
  planwright_tool_calls_needed_total: ["strategy"],
  planwright_model_calls_total: ["strategy"],
  planwright_model_calls_needed_total: ["strategy"],
  planwright_tokens_total: ["strategy", "kind"],
  planwright_cost_usd_total: ["strategy"],
  planwright_plans_rated: ["strategy"],
  planwright_plan_rating_points: ["strategy"],
  planwright_tool_attempts_total: ["tool", "outcome"],
  planwright_tool_seconds_total: ["tool"],
  gen_ai_client_inference_duration_seconds: [...MODEL_CALL, "le"],
  gen_ai_client_inference_usage_input_tokens_total: MODEL_TOKENS,
  gen_ai_client_inference_usage_output_tokens_total: MODEL_TOKENS,
  gen_ai_client_inference_usage_cache_read_input_tokens_total: MODEL_TOKENS,
  gen_ai_client_inference_usage_cache_write_input_tokens_total: MODEL_TOKENS,
  gen_ai_client_inference_usage_reasoning_output_tokens_total: MODEL_TOKENS,
  gen_ai_client_inference_operation_input_tokens: [...MODEL_CALL, "le"],
  gen_ai_client_inference_operation_output_tokens: [...MODEL_CALL, "le"],
  planwright_quota_refusals_total: ["quota"],
  planwright_queue_waiting: ["queue"],
  planwright_queue_oldest_seconds: ["queue"],
  planwright_queue_in_hand: ["queue"],
  planwright_queue_redelivered: ["queue"],
  planwright_pool_demand: ["pool"],
  planwright_pool_held: ["pool"],
  planwright_dead_letters: [],
  planwright_dead_letters_total: [],
};

const HEADER = /^# HELP (?<name>\S+) (?<help>.*)\n# TYPE \S+ (?<type>\w+)$/gm;

/**
 * Every metric, from what a gateway answers.
 *
 * @throws {Error} When a metric's labels are not described above.
 */
export function metricsPage(metrics: string): string {
  const rows = Array.from(metrics.matchAll(HEADER), ({ groups = {} }) => {
    const { name = "", help = "", type = "" } = groups;
    const labels = LABELS[name];
    if (labels === undefined)
      throw new Error(`scripts/docs/metrics-page.ts does not know the labels of ${name}`);
    return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(", "), help];
  });
  return `# Metrics

What \`GET /metrics\` of the gateway answers, in the text format of Prometheus. What the figures of plans count, and queries
to begin with: [metrics of plans](../metrics.md).

${tableOf(["metric", "kind", "labels", "what it is"], rows)}

| label | values |
|---|---|
| \`status\` | of a plan: those of \`GET /v1/plans\`; of a request: the HTTP status |
| \`strategy\` | as it was asked for or chosen by \`auto\`; \`submitted\`, \`undecided\` |
| \`outcome\` | \`succeeded\`, \`failed\`, \`cancelled\` |
| \`type\` | the type of a fact ([events](events.md)) |
| \`method\`, \`route\` | of a request; the route is its pattern, such as \`/v1/plans/:planId\` |
| \`kind\` | of an edit: \`plan\`, \`arguments\`, \`fork\`; of tokens: \`input\`, \`output\` |
| \`effect\` | of what changed something: \`idempotent\`, \`once\` |
| \`tool\` | a tool's name; \`others\` beyond 500 of them |
| \`quota\` | the name of a quota, as the [policy file](../policy.md#quotas) has it |
| \`queue\` | \`pool-<name>\` for the steps of a pool; \`planner\`, \`reflector\`, \`processor\` |
| \`reason\` | of spans that are gone: \`evicted\` with their trace, \`trace_too_large\` |
| \`gen_ai_operation_name\`, \`gen_ai_provider_name\` | \`chat\`, \`openai\`: the kind of call, and the protocol that the model's server speaks |
| \`gen_ai_request_model\` | the model that was asked for; \`others\` beyond 50 of them |
| \`gen_ai_agent_name\` | who asked: \`planner\`, \`executor\`, \`reflector\` |
| \`error_type\` | empty when the call succeeded; \`unavailable\` when it did not after all its retries, \`cancelled\` when it was not wanted any more, otherwise the error's code; \`_OTHER\` beyond 30 of them |
| \`gen_ai_token_modality\` | \`text\` |
| \`le\` | the upper end of a class of the histogram: seconds, or tokens |

Each gateway counts every plan: take one of them, or the maximum, and do not add them up. Requests, watchers, facts,
attempts by tool, model calls and spans are each gateway's own; queues are nats-server's, and every gateway says the same of them.
`;
}
