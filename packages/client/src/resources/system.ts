/** The system itself: tools, workers, metrics, quotas, health and models. */
import type {
  Metrics,
  MetricsRange,
  ModelCheck,
  Period,
  Quota,
  System,
  Tools,
  Workers,
} from "@planwright/api";
import type { JsonObject } from "@planwright/plan";
import type { Transport } from "../http/transport.ts";
import type { AnswerOf } from "../http/routes.ts";
import type { RequestOptions } from "../options.ts";

export type MetricsQuery = {
  /** Start of the time range (inclusive), such as `2026-01-31` or `2026-01-31T10:00:00Z`. */
  readonly from?: string | Date | undefined;
  /** End of the time range (exclusive). Default: now. */
  readonly to?: string | Date | undefined;
  /** Instead of `from`: the hour, day, week or month (30 days) that ends at `to`. */
  readonly last?: MetricsRange | undefined;
  /** Also returns the metrics of each of these periods (UTC); `auto`: a period that fits the plans in the range. */
  readonly period?: Period | "auto" | undefined;
  /** Also returns the metrics of an equally long range before this one. */
  readonly compare?: "previous" | undefined;
  /** Only plans with this strategy. */
  readonly strategy?: Metrics["strategy"];
  /** Also returns this many of the slowest single steps; max 20. */
  readonly slowest?: number | undefined;
};

export type ToolsApi = {
  /** The tools that plans can use, and the agent types that steps can name. */
  list(options?: RequestOptions): Promise<Tools>;
};
export type WorkersApi = {
  /** The running workers, and the queues of their pools. */
  list(options?: RequestOptions): Promise<Workers>;
};
export type MetricsApi = {
  /** Success rate, latency and cost of ended plans: in total, by strategy, by tool and by period. */
  get(query?: MetricsQuery, options?: RequestOptions): Promise<Metrics>;
  /** The system's metrics in the Prometheus text format. */
  prometheus(options?: RequestOptions): Promise<string>;
};
export type QuotasApi = {
  /** The limits of the tenant and the key, and their usage; empty when nothing is limited. */
  list(options?: RequestOptions): Promise<readonly Quota[]>;
};
export type SystemApi = {
  /** The version, and the models. */
  get(options?: RequestOptions): Promise<System>;
  /** Sends a small request to each role's model. It costs tokens and can take as long as the slowest model. */
  checkModels(options?: RequestOptions): Promise<readonly ModelCheck[]>;
  /** Whether the gateway is alive, and its version. */
  health(options?: RequestOptions): Promise<AnswerOf<"getHealth">>;
  /** Whether the system is ready, and what is missing. Does not throw when the system is not ready. */
  ready(options?: RequestOptions): Promise<AnswerOf<"getReadiness">>;
  /** The OpenAPI 3.1 document. */
  openApi(options?: RequestOptions): Promise<AnswerOf<"getOpenApi">>;
  /** The API reference, as an HTML page. */
  reference(options?: RequestOptions): Promise<string>;
};
export type TracesApi = {
  /**
   * Sends spans to the gateway's OTLP receiver.
   *
   * @param spans - `ExportTraceServiceRequest`: as JSON, or its Protocol Buffers bytes.
   */
  send(spans: JsonObject | Uint8Array<ArrayBuffer>, options?: RequestOptions): Promise<void>;
};
export type McpApi = {
  /** Sends one JSON-RPC message to the MCP server. The answer is JSON or an event stream; an MCP client is more convenient. */
  call(message: JsonObject, options?: RequestOptions): Promise<Response>;
};

export function toolsOf(transport: Transport): ToolsApi {
  return { list: (options) => transport.json("listTools", options) };
}

export function workersOf(transport: Transport): WorkersApi {
  return { list: (options) => transport.json("listWorkers", options) };
}

export function metricsOf(transport: Transport): MetricsApi {
  const momentOf = (moment: string | Date | undefined): string | undefined =>
    typeof moment === "object" ? moment.toISOString() : moment;
  return {
    get: ({ from, to, ...query } = {}, options) =>
      transport.json("getMetrics", {
        ...options,
        query: { ...query, from: momentOf(from), to: momentOf(to) },
      }),
    prometheus: (options) =>
      transport.text("getPrometheusMetrics", { ...options, headers: { accept: "text/plain" } }),
  };
}

export function quotasOf(transport: Transport): QuotasApi {
  return { list: async (options) => (await transport.json("listQuotas", options)).quotas };
}

/** Models can take this long to answer. */
const MODELS_TIMEOUT_MS = 120_000;

export function systemOf(transport: Transport): SystemApi {
  return {
    get: (options) => transport.json("getSystem", options),
    checkModels: async (options) =>
      (await transport.json("checkModels", { timeoutMs: MODELS_TIMEOUT_MS, ...options })).checks,
    health: (options) => transport.json("getHealth", options),
    ready: (options) => transport.json("getReadiness", { ...options, answers: [503] }),
    openApi: (options) => transport.json("getOpenApi", options),
    reference: (options) => transport.text("getReference", { ...options, headers: { accept: "text/html" } }),
  };
}

export function tracesOf(transport: Transport): TracesApi {
  return {
    send: async (spans, options) => {
      const content =
        spans instanceof Uint8Array
          ? { type: "application/x-protobuf", data: spans }
          : { type: "application/json", data: JSON.stringify(spans) };
      await transport.text("receiveTraces", { ...options, content, headers: { accept: "*/*" } });
    },
  };
}

export function mcpOf(transport: Transport): McpApi {
  return {
    call: (message, options) =>
      transport.response("callMcp", {
        ...options,
        body: message,
        headers: { accept: "application/json, text/event-stream" },
        answers: [400],
      }),
  };
}
