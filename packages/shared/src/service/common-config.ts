/** The settings that every service has. */
import { z } from "zod";
import { faultRules } from "../faults/fault-rules.ts";
import { boolean, headers, integer, oneOf, ratio, text, url } from "./config-values.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Spread its `shape` into a service's own schema. */
export const commonConfig = z.object({
  NATS_URL: url({ schemes: ["nats", "tls", "ws", "wss"] })
    .default("nats://127.0.0.1:4222")
    .meta({ description: "The NATS server, 2.14 or newer with JetStream." }),
  LOG_LEVEL: oneOf(LOG_LEVELS)
    .default("info")
    .meta({ description: "The least severe log line that is written." }),
  PLANWRIGHT_DATA: text({ wanted: "a folder" })
    .default(".planwright")
    .meta({ description: "Folder for everything that survives a restart." }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ schemes: ["http", "https"] })
    .optional()
    .meta({
      description:
        "Base URL of the OTLP/HTTP receiver; traces go to its `/v1/traces`. Without it none are sent.",
    }),
  OTEL_EXPORTER_OTLP_HEADERS: headers().optional().meta({
    description: "Headers for the OTLP receiver, such as its key: `name=value`, separated by commas.",
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
