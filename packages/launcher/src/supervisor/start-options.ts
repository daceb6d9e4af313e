import path from "node:path";
import { parseArgs } from "node:util";

export type StartOptions = {
  /** Run all services in this process instead of one process each. */
  readonly oneProcess: boolean;
  /** Absolute path. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly executors: number;
  /** Sync every message to disk before acknowledging it. */
  readonly syncAlways: boolean;
  /** Print the services' log lines as JSON. */
  readonly jsonLogs: boolean;
};

const EXECUTORS_MAX = 64;

/** Returns the text of `--help`. @param command - The command line to show. */
export function startHelp(command: string): string {
  return `Start Planwright on this machine: nats-server, planner, executor, reflector and gateway.

Usage: ${command} [options]

Options:
  --port N        Port of the HTTP API and dashboard; 0 picks a free one (default: PORT, then 8080)
  --data DIR      Data folder, kept across restarts (default: PLANWRIGHT_DATA, then .planwright)
  --executors N   Number of executor processes (default: 1)
  --one-process   Run all services in one process (for small machines)
  --json-logs     Print log lines as JSON
  --help          Show this help

Environment variables:
  OPENAI_API_KEY    API key of the model server
  OPENAI_BASE_URL   Model server; without it and a key, the built-in demo model (rule-based) is used
  NATS_URL          Use this nats-server instead of starting one
  NATS_SYNC=always  Sync every message to disk before acknowledging it
  HOST              Address to listen on (default: 127.0.0.1)

Ctrl-C stops everything: running work finishes, the rest resumes at the next start. A second Ctrl-C kills it.
`;
}

/**
 * Parses the command line of `npm start`; the environment provides defaults.
 *
 * @returns undefined for `--help`.
 * @throws {Error} On an unknown option or an invalid value; the message names it.
 */
export function parseStartOptions(args: readonly string[], env: NodeJS.ProcessEnv): StartOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string" },
      data: { type: "string" },
      executors: { type: "string" },
      "one-process": { type: "boolean", default: false },
      "json-logs": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    oneProcess: values["one-process"],
    jsonLogs: values["json-logs"],
    dataDir: path.resolve(values.data ?? (env["PLANWRIGHT_DATA"] || ".planwright")),
    host: env["HOST"] || "127.0.0.1",
    syncAlways: syncAlways(env["NATS_SYNC"]),
    port: wholeNumber(values.port ?? (env["PORT"] || "8080"), {
      name: "--port (or PORT)",
      min: 0,
      max: 65_535,
    }),
    executors: wholeNumber(values.executors ?? "1", { name: "--executors", min: 1, max: EXECUTORS_MAX }),
  };
}

function syncAlways(value: string | undefined): boolean {
  if (value === undefined || value === "" || value === "always") return value === "always";
  throw new Error(`invalid NATS_SYNC "${value}": set it to "always", or unset it`);
}

function wholeNumber(text: string, { name, min, max }: { name: string; min: number; max: number }): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(`invalid ${name} "${text}": use a whole number from ${min} to ${max}`);
}
