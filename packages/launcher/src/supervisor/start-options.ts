import path from "node:path";
import { parseArgs } from "node:util";

export type StartOptions = {
  /** All services in this process instead of one process each. */
  readonly oneProcess: boolean;
  /** Absolute. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly executors: number;
  /** Every acknowledged message has reached the disk. */
  readonly syncAlways: boolean;
  /** Print the services' JSON log lines as they are. */
  readonly jsonLogs: boolean;
};

const EXECUTORS_MAX = 64;

/** The text of `--help`; `command` is how it is started. */
export function startHelp(command: string): string {
  return `Starts Planwright on this machine: nats-server, planner, executor, reflector and gateway.

  ${command} [options]

  --port N        port of the HTTP interface and the dashboard (PORT, 8080; 0 takes a free one)
  --data DIR      folder for everything that survives a restart (PLANWRIGHT_DATA, .planwright)
  --executors N   how many executor processes share the work (1)
  --one-process   all services in one process, for small machines
  --json-logs     print the services' log lines as JSON
  --help          print this

The environment configures the services: OPENAI_API_KEY and OPENAI_BASE_URL name the model (without them
the demo model answers: rules, not a language model), NATS_URL a running nats-server, HOST the address to
listen on, NATS_SYNC=always makes every acknowledged message reach the disk first.

Ctrl-C stops everything: work in hand is finished, the rest resumes with the next start. A second Ctrl-C kills.
`;
}

/**
 * Reads the command line of `npm start`; what it leaves open comes from the environment.
 *
 * @returns undefined when help was asked for.
 * @throws {Error} On an unknown option or a bad value; the message names it.
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
    port: wholeNumber(values.port ?? (env["PORT"] || "8080"), { name: "port", min: 0, max: 65_535 }),
    executors: wholeNumber(values.executors ?? "1", { name: "executors", min: 1, max: EXECUTORS_MAX }),
  };
}

function syncAlways(value: string | undefined): boolean {
  if (value === undefined || value === "" || value === "always") return value === "always";
  throw new Error(`NATS_SYNC: wanted "always" or nothing, got "${value}"`);
}

function wholeNumber(text: string, { name, min, max }: { name: string; min: number; max: number }): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(`--${name}: wanted a whole number from ${min} to ${max}, got "${text}"`);
}
