/** The state of one client, and of one of its calls. */
import type { Logger } from "pino";
import type { ModelTarget } from "../service/model-address.ts";
import type { ModelSettings } from "../service/model-config.ts";
import type { Telemetry } from "../telemetry/index.ts";
import type { ModelPatience, PatienceLimits } from "./call/model-patience.ts";
import type { ModelRequest } from "./model-client.ts";
import type { Features, Refusal } from "./call/server-quirks.ts";
import type { ToldCall } from "./told-call.ts";
import type { CallLimits } from "./call/watch-call.ts";

export type ModelLimits = CallLimits &
  PatienceLimits & {
    /** From the call to its reply, including retries and waits, in milliseconds. */
    readonly totalMs: number;
  };

export const MODEL_LIMITS: ModelLimits = {
  firstByteMs: 120_000,
  idleMs: 30_000,
  totalMs: 300_000,
  triesMax: 8,
  patienceMs: 30_000,
  loadingMs: 300_000,
};

export type ModelClientOptions = ModelTarget &
  Partial<Omit<ModelSettings, keyof ModelTarget | "limits">> & {
    /** The calling role, such as `planner`; named in spans and logs. */
    readonly role: string;
    readonly limits?: Partial<ModelLimits>;
    readonly telemetry?: Telemetry;
    readonly log?: Logger;
    readonly fetch?: typeof fetch;
    /** Called once for each finished call; it must not throw. */
    readonly onCall?: (call: ToldCall) => void;
    /** Milliseconds since the epoch. */
    readonly now?: () => number;
    /** Uniform in [0, 1). */
    readonly random?: () => number;
    /** Waits; rejects when the signal aborts. */
    readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
  };

/** The options with their defaults, and what the client has learned about servers. */
export type ModelContext = ModelTarget &
  Required<
    Pick<
      ModelClientOptions,
      "headers" | "prices" | "role" | "telemetry" | "fetch" | "onCall" | "now" | "random" | "delay"
    >
  > &
  Pick<ModelClientOptions, "temperature" | "reasoningEffort"> & {
    readonly limits: ModelLimits;
    readonly log: Logger | undefined;
    /** The features that work, for each model and schema. */
    readonly learned: Map<string, Features>;
    /** The models whose reasoning was found to have no opening tag. */
    readonly unopened: Set<string>;
  };

/** The state of one call. */
export type ModelCallState = {
  readonly request: ModelRequest;
  readonly model: string;
  readonly patience: ModelPatience;
  /** By the monotonic clock, `performance.now`, so that setting the machine's clock ends no call. */
  deadlineMs: number;
  /** When the server last showed a sign of life, or was called. */
  aliveMs: number;
  /** Whether the caller has seen some of the reply. */
  delivered: boolean;
  /** The last HTTP 500 of a request with a format; "tried" once other formats have failed too. */
  formatFailure?: Refusal | "tried";
};
