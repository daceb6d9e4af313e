import { tableOf } from "./markdown.ts";

const MODEL_CALL = [
  "gen_ai_operation_name",
  "gen_ai_provider_name",
  "gen_ai_request_model",
  "gen_ai_agent_name",
  "error_type",
] as const;
const MODEL_TOKENS = [...MODEL_CALL, "gen_ai_token_modality"] as const;

/** The labels of each metric. The generator fails on a metric that is not listed here. */
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
 * Renders every metric from the response of a gateway.
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
  return `# Prometheus metrics

The metrics that the gateway exposes at \`GET /metrics\`, in the Prometheus text format. For definitions and example queries, see
[Metrics](../metrics.md).

${tableOf(["metric", "type", "labels", "description"], rows)}

| label | values |
|---|---|
| \`status\` | for plans, the values of \`status\` in \`GET /v1/plans\`; for requests, the HTTP status code |
| \`strategy\` | the strategy that was requested, or that \`auto\` chose; \`submitted\`, \`undecided\` |
| \`outcome\` | \`succeeded\`, \`partial\`, \`failed\`, \`cancelled\` |
| \`type\` | the type of an [event](events.md) |
| \`method\`, \`route\` | the method and the route pattern of a request, such as \`/v1/plans/:planId\` |
| \`kind\` | for edits: \`plan\`, \`arguments\`, \`fork\`; for tokens: \`input\`, \`output\` |
| \`effect\` | the effect of the tool: \`idempotent\`, \`once\` |
| \`tool\` | the name of a tool; \`others\` after the first 500 |
| \`quota\` | the name of a quota in the [policy file](../policy.md#quotas) |
| \`queue\` | \`pool-<name>\` for the steps of a pool; \`planner\`, \`reflector\`, \`processor\` |
| \`pool\` | the name of a pool |
| \`reason\` | why spans were dropped: \`evicted\` with their trace, or \`trace_too_large\` |
| \`gen_ai_operation_name\`, \`gen_ai_provider_name\` | \`chat\`, \`openai\`: the kind of call, and the protocol of the model server |
| \`gen_ai_request_model\` | the requested model; \`others\` after the first 50 |
| \`gen_ai_agent_name\` | the service that made the call: \`planner\`, \`executor\`, \`reflector\` |
| \`error_type\` | empty if the call succeeded; \`unavailable\` if all its retries failed; \`cancelled\` if it was no longer needed; otherwise the error code; \`_OTHER\` after the first 30 |
| \`gen_ai_token_modality\` | \`text\` |
| \`le\` | the upper bound of a histogram bucket, in seconds or tokens |

Each gateway counts every plan, so use one gateway's value or the maximum, not the sum. Each gateway counts its own requests,
watchers, events, attempts by tool, model calls and spans. Queue metrics come from nats-server and are the same on every gateway.
`;
}
