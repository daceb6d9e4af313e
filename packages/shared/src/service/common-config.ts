/** The settings of every service. */
import { z } from "zod";
import { natsConfig } from "../access/nats-config.ts";
import { faultRules } from "../faults/fault-rules.ts";
import { TRACES_TO } from "../telemetry/trace-receivers.ts";
import { boolean, headers, integer, oneOf, ratio, text, url, duration } from "./config-values.ts";

const GIB = 1024 ** 3;

/** How long plans are kept, and where. Spread the needed ones into a service's own schema. */
export const retentionConfig = {
  RETENTION_ENDED_AFTER: duration({ minMs: 60_000, maxMs: 3_650 * 86_400_000, orNever: true })
    .prefault("7d")
    .meta({
      description: "How long a finished plan stays in the log before it is moved to the archive.",
    }),
  RETENTION_STREAM_BYTES: integer({ min: 0, max: 1_000_000 * GIB, unit: "bytes" })
    .default(8 * GIB)
    .meta({
      description:
        "If the log is larger than this, plans are archived one minute after they finish, oldest first. 0 means no limit. Keep it well below the storage limit of nats-server.",
    }),
  RETENTION_ARCHIVES_AFTER: duration({ minMs: 60_000, maxMs: 3_650 * 86_400_000, orNever: true })
    .prefault("0")
    .meta({
      description:
        "How long an archived plan is kept. After that, the plan and its files are deleted, and its Idempotency-Key can be used again.",
    }),
} as const;

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Spread its `shape` into a service's own schema. */
export const commonConfig = z.object({
  ...natsConfig,
  LOG_LEVEL: oneOf(LOG_LEVELS).default("info").meta({ description: "Minimum severity of log lines." }),
  PLANWRIGHT_DATA: text({ wanted: "a folder" })
    .default(".planwright")
    .meta({ description: "Folder for all data that survives a restart." }),
  PLANWRIGHT_REDACTION: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "File with the rules that redact personal data and credentials in logs, traces and views (docs/redaction.md). Default: `redaction.json` in PLANWRIGHT_DATA or in the working folder, if it exists.",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ schemes: ["http", "https"] })
    .optional()
    .meta({
      description:
        "Base URL of an external OTLP/HTTP receiver. Traces are sent to its `/v1/traces` (docs/traces.md).",
    }),
  OTEL_EXPORTER_OTLP_HEADERS: headers().optional().meta({
    description:
      "Headers for the receiver of OTEL_EXPORTER_OTLP_ENDPOINT, such as its key: `name=value`, separated by commas.",
  }),
  PLANWRIGHT_TRACES: oneOf(TRACES_TO).optional().meta({
    description:
      "Where traces are sent: to the gateway, which displays them (`embedded`), to OTEL_EXPORTER_OTLP_ENDPOINT (`endpoint`), or to `both`. Default: `endpoint` if OTEL_EXPORTER_OTLP_ENDPOINT is set, otherwise `embedded`.",
  }),
  PLANWRIGHT_TRACE_RECEIVER: url({ schemes: ["http", "https"] })
    .optional()
    .meta({
      description: "Base URL of the gateway's own receiver, `http://HOST:PORT/otlp`. `npm start` sets it.",
    }),
  PLANWRIGHT_TRACE_RECEIVER_HEADERS: headers().optional().meta({
    description:
      "Headers for the gateway's receiver: `authorization=Bearer KEY` if the gateway requires keys.",
  }),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: boolean().default(false).meta({
    description: "Whether spans of model calls include the prompts and replies.",
  }),
  TRACE_PLANS_PER_SECOND: integer({ min: 0, max: 1_000_000, unit: "plans" }).default(50).meta({
    description: "Maximum number of new plans per second that are traced completely.",
  }),
  TRACE_RATIO: ratio().default(0.05).meta({
    description:
      "Share of the plans beyond TRACE_PLANS_PER_SECOND that are traced. Errors are always traced.",
  }),
  PLANWRIGHT_FAULTS: faultRules().optional().meta({
    description:
      "For tests of the failure contract only: points at which this process kills, stops or delays itself, such as `outcome.before-publish=kill@2`.",
  }),
});
export type CommonConfig = z.output<typeof commonConfig>;
