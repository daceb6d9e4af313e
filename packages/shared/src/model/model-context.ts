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
    /** From the call to its reply, retries and waits included, in milliseconds. */
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
    /** Who asks, such as `planner`; named in spans and logs. */
    readonly role: string;
    readonly limits?: Partial<ModelLimits>;
    readonly telemetry?: Telemetry;
    readonly log?: Logger;
    readonly fetch?: typeof fetch;
    /** Told of each call that has ended, once; it must not throw. */
    readonly onCall?: (call: ToldCall) => void;
    /** Milliseconds since the epoch. */
    readonly now?: () => number;
    /** Uniform in [0, 1). */
    readonly random?: () => number;
    /** Waits; rejects when the signal aborts. */
    readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
  };

/** The options with their defaults, and what the client has learned. */
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
    /** What each model and schema was found to go along with. */
    readonly learned: Map<string, Features>;
    /** The models whose reasoning was found to come without its opening tag. */
    readonly unopened: Set<string>;
  };

/** One call on its way. */
export type ModelCallState = {
  readonly request: ModelRequest;
  readonly model: string;
  readonly patience: ModelPatience;
  /** Of the monotonic clock, `performance.now`: when the machine's clock is set, no call ends. */
  deadlineMs: number;
  /** When the server last showed a sign of life, or was called. */
  aliveMs: number;
  /** Whether the caller has seen some of the reply. */
  delivered: boolean;
  /** The last failure with HTTP 500 of a request that asked for a format; "tried" once other formats have failed too. */
  formatFailure?: Refusal | "tried";
};
