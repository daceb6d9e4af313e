/** The receivers of a service's spans, from its settings. */
import { PermanentError } from "../errors.ts";
import type { CommonConfig } from "../service/common-config.ts";

export const TRACES_TO = ["embedded", "endpoint", "both"] as const;
/** To the gateway's own receiver, to another one, or to both. */
export type TracesTo = (typeof TRACES_TO)[number];

export type TraceReceiver = {
  /** Base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
};

type TraceSettings = Pick<
  CommonConfig,
  | "PLANWRIGHT_TRACES"
  | "PLANWRIGHT_TRACE_RECEIVER"
  | "PLANWRIGHT_TRACE_RECEIVER_HEADERS"
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_HEADERS"
>;

/** The configured value, or the default: a named receiver has precedence over the gateway's own. */
export function tracesTo({ PLANWRIGHT_TRACES, OTEL_EXPORTER_OTLP_ENDPOINT }: TraceSettings): TracesTo {
  return PLANWRIGHT_TRACES ?? (OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? "embedded" : "endpoint");
}

/**
 * Empty when no receiver is named.
 *
 * @throws {PermanentError} `no_trace_endpoint` when spans should go to another receiver and none is named.
 */
export function traceReceivers(settings: TraceSettings): TraceReceiver[] {
  const to = tracesTo(settings);
  const own = receiverOf(settings.PLANWRIGHT_TRACE_RECEIVER, settings.PLANWRIGHT_TRACE_RECEIVER_HEADERS);
  const other = receiverOf(settings.OTEL_EXPORTER_OTLP_ENDPOINT, settings.OTEL_EXPORTER_OTLP_HEADERS);
  if (to === "embedded") return own;
  if (other.length === 0) {
    throw new PermanentError(`PLANWRIGHT_TRACES=${to} needs OTEL_EXPORTER_OTLP_ENDPOINT`, {
      code: "no_trace_endpoint",
    });
  }
  return to === "both" ? [...own, ...other] : other;
}

function receiverOf(
  endpoint: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): TraceReceiver[] {
  return endpoint === undefined ? [] : [{ endpoint, headers }];
}
