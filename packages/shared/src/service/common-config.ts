/** The settings that every service has. */
import { z } from "zod";
import { natsConfig } from "../access/nats-config.ts";
import { faultRules } from "../faults/fault-rules.ts";
import { TRACES_TO } from "../telemetry/trace-receivers.ts";
import { boolean, headers, integer, oneOf, ratio, text, url } from "./config-values.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Spread its `shape` into a service's own schema. */
export const commonConfig = z.object({
  ...natsConfig,
  LOG_LEVEL: oneOf(LOG_LEVELS)
    .default("info")
    .meta({ description: "The least severe log line that is written." }),
  PLANWRIGHT_DATA: text({ wanted: "a folder" })
    .default(".planwright")
    .meta({ description: "Folder for everything that survives a restart." }),
  PLANWRIGHT_REDACTION: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "The file with the rules that hide personal data and credentials in logs, traces and views (docs/redaction.md). Default: `redaction.json` in PLANWRIGHT_DATA or in the working folder, if it is there.",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ schemes: ["http", "https"] })
    .optional()
    .meta({
      description:
        "Base URL of an OTLP/HTTP receiver that is not the gateway's; traces go to its `/v1/traces` (docs/traces.md).",
    }),
  OTEL_EXPORTER_OTLP_HEADERS: headers().optional().meta({
    description: "Headers for that receiver, such as its key: `name=value`, separated by commas.",
  }),
  PLANWRIGHT_TRACES: oneOf(TRACES_TO).optional().meta({
    description:
      "Where traces go: `embedded` to the gateway, which shows them, `endpoint` to OTEL_EXPORTER_OTLP_ENDPOINT, or `both`. By default to the endpoint when one is named.",
  }),
  PLANWRIGHT_TRACE_RECEIVER: url({ schemes: ["http", "https"] })
    .optional()
    .meta({
      description: "Base URL of the gateway's own receiver, `http://HOST:PORT/otlp`. `npm start` sets it.",
    }),
  PLANWRIGHT_TRACE_RECEIVER_HEADERS: headers().optional().meta({
    description: "Headers for the gateway's receiver: `authorization=Bearer KEY` when it asks for keys.",
  }),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: boolean().default(false).meta({
    description: "Whether spans of model calls carry the prompts and replies themselves.",
  }),
  TRACE_PLANS_PER_SECOND: integer({ min: 0, max: 1_000_000, unit: "plans" }).default(50).meta({
    description: "Up to this many new plans a second are traced, each whole.",
  }),
  TRACE_RATIO: ratio().default(0.05).meta({
    description: "Share of the plans beyond TRACE_PLANS_PER_SECOND that are traced. Errors always are.",
  }),
  PLANWRIGHT_FAULTS: faultRules().optional().meta({
    description:
      "For tests of the failure contract only: where this process kills, stops or delays itself, such as `outcome.before-publish=kill@2`.",
  }),
});
export type CommonConfig = z.output<typeof commonConfig>;
