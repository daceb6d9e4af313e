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
        "Pools whose steps this executor runs. Append `=` and a number to limit how many steps of a pool run at the same time. Default: `default` and the pools of all agent types.",
    }),
  PLANWRIGHT_AGENTS: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "File with the agent types. Default: `agents.json` in PLANWRIGHT_DATA or in the working folder, if it exists.",
  }),
  PLANWRIGHT_SOURCES: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "File that lists local data sources: SQLite files and CSV files (docs/data.md). Default: `sources.json` in PLANWRIGHT_DATA or in the working folder, if it exists.",
  }),
  PLANWRIGHT_TOOLS: text({ wanted: "a folder" }).optional().meta({
    description:
      "Folder with your own tools, one file per tool (docs/own-tools.md). Default: `tools` in the working folder, if it exists.",
  }),
  EXECUTOR_TOOLS_REPLACED: list().default([]).meta({
    description:
      "Names of built-in tools that your own tools replace in this executor, separated by commas, such as `http.fetch` (docs/own-tools.md).",
  }),
  PLANWRIGHT_MCP: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "File with the MCP servers whose tools plans can use (docs/mcp.md). Default: `mcp.json` in PLANWRIGHT_DATA or in the working folder, if it exists.",
  }),
  PLANWRIGHT_SECRETS: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "File with the secrets that steps can use, and the calls that may use them (docs/secrets.md). Default: `secrets.json` in PLANWRIGHT_DATA or in the working folder, if it exists.",
  }),
  EXECUTOR_CONCURRENCY: integer({ min: 1, max: CONCURRENCY_MAX, unit: "steps" }).default(128).meta({
    description:
      "Maximum number of steps that run at the same time, for each pool without its own number in EXECUTOR_POOLS.",
  }),
  EXECUTOR_DRAIN_MS: integer({ min: 0, max: 3_600_000, unit: "milliseconds" }).default(5_000).meta({
    description:
      "How long a stopping executor lets its steps finish. After that, running steps get an abort signal, and 1.5 seconds later the executor returns those that are still running to their queue and exits. Allow a few seconds more before you kill it; `npm start` waits a total of 12 seconds.",
  }),
  REACT_TURNS_MAX: integer({ min: 1, max: TURNS_MAX, unit: "turns" }).default(TURNS_MAX).meta({
    description:
      "Maximum number of turns of an agent.react step, over all attempts. A step that specifies more is refused.",
  }),
  REACT_CALLS_MAX: integer({ min: 1, max: LOOP_CALLS_MAX, unit: "calls" }).default(LOOP_CALLS_MAX).meta({
    description:
      "Maximum number of tool calls of an agent.react step, over all turns and attempts. A step that specifies more is refused.",
  }),
  PLANWRIGHT_DOCS: text({ wanted: "a folder" })
    .default("examples/docs")
    .meta({ description: "Folder of Markdown and text files that docs.search searches." }),
  HTTP_FETCH_ALLOW: list().default([]).meta({
    description:
      "Hosts and ports (`host:port`) with private addresses that http.fetch and http.send may reach.",
  }),
  EGRESS_HOSTS: list({
    item: EGRESS_HOST,
    wanted: "hosts separated by commas, such as api.example.com,*.example.com",
  })
    .optional()
    .meta({
      description:
        "Hosts that tools may reach by URL: exact names, or `*.example.com` for all subdomains of example.com. Default: all public hosts. Hosts in HTTP_FETCH_ALLOW are always allowed. This setting does not allow private addresses; use HTTP_FETCH_ALLOW for them.",
    }),
  EGRESS_URL_CHARS_MAX: integer({ min: 100, max: 4_000, unit: "characters" })
    .default(EGRESS_URL_CHARS_MAX)
    .meta({
      description:
        "Maximum combined length of the path and query of a URL. It limits how much data a URL can carry out.",
    }),
  ...wallConfig,
  ...webSearchConfig,
  ...mailConfig,
});
export type ExecutorConfig = z.output<typeof ExecutorConfig>;
