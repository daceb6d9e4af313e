import { LOOP_CALLS_MAX, TURNS_MAX } from "@planwright/plan";
import { commonConfig, integer, list, modelConfig, text } from "@planwright/shared/service";
import { z } from "zod";
import { EGRESS_HOST, EGRESS_URL_CHARS_MAX } from "./net/egress.ts";
import { mailConfig } from "./mail/mail-config.ts";
import { webSearchConfig } from "./web-search/web-search-config.ts";
import { wallConfig } from "./wall/open-wall.ts";
import { CONCURRENCY_MAX, POOL_PATTERN } from "./pool-settings.ts";

export const ExecutorConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("EXECUTOR"),
  EXECUTOR_POOLS: list({ item: POOL_PATTERN, wanted: "pools separated by commas, such as default,gpu=2" })
    .optional()
    .meta({
      description:
        "The pools whose steps this executor runs; `=` and a number says how many of a pool's at a time. Without it: `default`, and the pools of all agent types.",
    }),
  PLANWRIGHT_AGENTS: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "The file with the agent types. Without it: `agents.json` in PLANWRIGHT_DATA, else in the working folder, if it is there.",
  }),
  PLANWRIGHT_SOURCES: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "The file that names data on this machine: SQLite files and CSV files (docs/data.md). Without it: `sources.json` in PLANWRIGHT_DATA, else in the working folder, if it is there.",
  }),
  PLANWRIGHT_TOOLS: text({ wanted: "a folder" }).optional().meta({
    description:
      "The folder with your own tools, a file each (docs/own-tools.md). Without it: `tools` in the working folder, if it is there.",
  }),
  EXECUTOR_TOOLS_REPLACED: list().default([]).meta({
    description:
      "Names of built-in tools that this executor leaves to tools of your own, separated by commas, such as `http.fetch` (docs/own-tools.md).",
  }),
  PLANWRIGHT_MCP: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "The file with the MCP servers whose tools plans may use (docs/mcp.md). Without it: `mcp.json` in PLANWRIGHT_DATA, else in the working folder, if it is there.",
  }),
  PLANWRIGHT_SECRETS: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "The file with the secrets that steps may use, and the calls that may use them (docs/secrets.md). Without it: `secrets.json` in PLANWRIGHT_DATA, else in the working folder, if it is there.",
  }),
  EXECUTOR_CONCURRENCY: integer({ min: 1, max: CONCURRENCY_MAX, unit: "steps" })
    .default(128)
    .meta({ description: "How many steps it runs at a time of a pool that names no number." }),
  EXECUTOR_DRAIN_MS: integer({ min: 0, max: 3_600_000, unit: "milliseconds" }).default(5_000).meta({
    description:
      "How long a stopping executor lets its steps finish; then they get their abort signal, and 1.5 seconds later whatever still runs is handed back and left. Whoever stops it has to wait some seconds longer before killing it; `npm start` waits 12 seconds in all.",
  }),
  REACT_TURNS_MAX: integer({ min: 1, max: TURNS_MAX, unit: "turns" }).default(TURNS_MAX).meta({
    description:
      "How many turns an agent.react step may take at most, over all attempts; a step that asks for more is refused.",
  }),
  REACT_CALLS_MAX: integer({ min: 1, max: LOOP_CALLS_MAX, unit: "calls" }).default(LOOP_CALLS_MAX).meta({
    description:
      "How many tool calls an agent.react step may make at most, over all turns and attempts; a step that asks for more is refused.",
  }),
  PLANWRIGHT_DOCS: text({ wanted: "a folder" })
    .default("examples/docs")
    .meta({ description: "Folder of Markdown and text files that docs.search looks through." }),
  HTTP_FETCH_ALLOW: list().default([]).meta({
    description:
      "Hosts and ports (`host:port`) that http.fetch and http.send may reach although their address is private.",
  }),
  EGRESS_HOSTS: list({
    item: EGRESS_HOST,
    wanted: "hosts separated by commas, such as api.example.com,*.example.com",
  })
    .optional()
    .meta({
      description:
        "The only hosts that tools may reach by a URL: exact names, or `*.example.com` for all below example.com. Those of HTTP_FETCH_ALLOW may be reached besides. Any public host when absent. It opens no private address: HTTP_FETCH_ALLOW does.",
    }),
  EGRESS_URL_CHARS_MAX: integer({ min: 100, max: 4_000, unit: "characters" })
    .default(EGRESS_URL_CHARS_MAX)
    .meta({
      description:
        "The most characters that path and query of a URL may have together, because a URL can carry data out.",
    }),
  ...wallConfig,
  ...webSearchConfig,
  ...mailConfig,
});
export type ExecutorConfig = z.output<typeof ExecutorConfig>;
