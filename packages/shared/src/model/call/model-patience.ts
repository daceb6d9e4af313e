/**
 * Limits how often, and for how long, one piece of work can call a model server that does not answer.
 *
 * All calls of a piece of work (a draft, a step, a review, a synthesis) share one patience, so that together they stay within
 * the limits. A reply resets it.
 *
 * Invariants:
 *   PATIENCE-1. At most `triesMax` calls in a row fail before the work fails.
 *   PATIENCE-2. No call is made when the server has shown no sign of life for `patienceMs`, and a call to a server that answers
 *       nothing at all ends then.
 *   PATIENCE-3. A server that reports that it is loading its model gets `loadingMs` instead, and these calls do not count.
 */
import { MODEL_UNAVAILABLE, type ModelTries } from "@planwright/plan";
import { PermanentError, type TransientError } from "../../errors.ts";
import { causeOf, isLoading } from "./classify-failure.ts";
import { shownMs, type Silence } from "./watch-call.ts";

export type PatienceLimits = {
  /** Maximum number of failed calls in a row. */
  readonly triesMax: number;
  /** Since the server last showed a sign of life, in milliseconds. */
  readonly patienceMs: number;
  /** For a server that is loading its model, in milliseconds. */
  readonly loadingMs: number;
};

/** Earlier deliveries of the work may have made uncounted calls: each delivery counts as this many. */
const CALLS_PER_LOST_DELIVERY = 2;
/** A server that is loading its model is reported once at first, and then at this interval. */
const LOADING_REPORT_MS = 30_000;
const MESSAGE_CHARS_MAX = 2_000;
/** The share of `patienceMs` that must be left for another call: in less time, no server can show whether it is alive. */
const LEAST_SHARE = 1 / 6;
const BACKOFF_MS_MIN = 500;
const BACKOFF_MS_MAX = 30_000;
/** Spreads clients that were asked to return at the same moment. */
const SPREAD_MS = 250;

/** A failed call, and the wait before the next one. */
type FailedCall = { readonly error: TransientError; readonly nowMs: number; readonly delayMs: number };

/** The model server did not answer within the limits: this piece of work makes no further call. */
export class ModelUnavailableError extends PermanentError {
  override readonly name = "ModelUnavailableError";
  /** The delay requested by the server, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  /** The failure of the last call; not the `cause`, because the message contains it. */
  readonly last: TransientError;

  constructor(message: string, last: TransientError) {
    super(message, { code: MODEL_UNAVAILABLE });
    this.retryAfterMs = last.retryAfterMs;
    this.last = last;
  }
}

export type PatienceOptions = {
  /** How much of the limits earlier work on the same subject has used up, according to its log. */
  readonly tried?: ModelTries | undefined;
  /** Number of deliveries of the work, including this one; default 1. */
  readonly deliveries?: number;
  /** Called before each wait. It must not throw. */
  readonly onFailure?: (tries: ModelTries) => void;
};

export class ModelPatience {
  readonly #onFailure: (tries: ModelTries) => void;
  #report: number;
  #calls: number;
  #sinceMs: number | undefined;
  #loadingSinceMs: number | undefined;
  #reportedMs = 0;
  #tried: ModelTries | undefined;

  constructor({ tried, deliveries = 1, onFailure = () => undefined }: PatienceOptions = {}) {
    this.#onFailure = onFailure;
    this.#report = tried?.report ?? 0;
    this.#calls = (tried?.calls ?? 0) + CALLS_PER_LOST_DELIVERY * (deliveries - 1);
    // A call without an answer so far may have been answered since.
    const isFailing = tried !== undefined && (tried.silent !== true || tried.calls > 0);
    this.#sinceMs = isFailing ? Date.parse(tried.since) : undefined;
  }

  /** The current counts if the last call failed, for the next worker that does the work. */
  get tried(): ModelTries | undefined {
    return this.#tried;
  }

  /** How long a call can go without any sign of life from the server, in milliseconds. */
  windowMs({ patienceMs }: PatienceLimits, nowMs: number): number {
    const leftMs = patienceMs - (nowMs - (this.#sinceMs ?? nowMs));
    return Math.max(leastMs(patienceMs), leftMs);
  }

  /** Whether no call is left. */
  isUsedUp({ triesMax }: Pick<PatienceLimits, "triesMax">): boolean {
    return this.#calls >= triesMax;
  }

  /** Counts a failed call. @param aliveMs - When the server last showed a sign of life, or was called. */
  count(error: unknown, aliveMs: number): void {
    if (isLoading(error)) {
      this.#loadingSinceMs ??= aliveMs;
      return;
    }
    this.#loadingSinceMs = undefined;
    this.#sinceMs ??= aliveMs;
    this.#calls += 1;
  }

  /** The server has answered. */
  reset(): void {
    this.#calls = 0;
    this.#sinceMs = undefined;
    this.#loadingSinceMs = undefined;
    this.#tried = undefined;
  }

  /**
   * Checks that another call can be made after a wait.
   *
   * @throws {ModelUnavailableError} When the limits permit no further call.
   */
  refuseBeyond(limits: PatienceLimits, { error, nowMs, delayMs }: FailedCall): void {
    const cause = causeOf(error).slice(0, MESSAGE_CHARS_MAX);
    const { retryAfterMs } = error;
    const fail = (what: string): never => {
      throw new ModelUnavailableError(`${cause}; ${what}`, error);
    };
    if (this.#loadingSinceMs !== undefined) {
      if (nowMs + delayMs - this.#loadingSinceMs <= limits.loadingMs) return;
      fail(`that took longer than ${shownMs(limits.loadingMs)} (MODEL_LOADING_MS)`);
    }
    const elapsedMs = nowMs - (this.#sinceMs ?? nowMs);
    if (retryAfterMs !== undefined && retryAfterMs > limits.patienceMs) {
      fail(
        `the server asks to wait ${shownMs(retryAfterMs)}, and MODEL_PATIENCE_MS allows ${shownMs(limits.patienceMs)}`,
      );
    }
    const gaveUp = `gave up after ${this.#calls === 1 ? "1 call" : `${this.#calls} calls`}`;
    if (this.isUsedUp(limits)) fail(`${gaveUp} (MODEL_TRIES_MAX)`);
    if (elapsedMs + delayMs + leastMs(limits.patienceMs) > limits.patienceMs) {
      fail(
        `${gaveUp} in ${shownMs(elapsedMs)}, because MODEL_PATIENCE_MS allows ${shownMs(limits.patienceMs)}`,
      );
    }
  }

  /** Reports the failure of a call that will be retried. */
  report(limits: PatienceLimits, { error, nowMs, delayMs }: FailedCall): void {
    const loading = this.#loadingSinceMs !== undefined;
    if (loading && this.#loadingSinceMs !== nowMs && nowMs - this.#reportedMs < LOADING_REPORT_MS) return;
    this.#reportedMs = nowMs;
    this.#tell({
      calls: this.#calls,
      callsMax: limits.triesMax,
      since: isoTime(this.#sinceMs ?? this.#loadingSinceMs ?? nowMs),
      message: causeOf(error).slice(0, MESSAGE_CHARS_MAX),
      ...(loading ? { loading } : {}),
      retryAt: isoTime(nowMs + delayMs),
    });
  }

  /** Reports a call that has received nothing so far. */
  reportSilence(
    { triesMax }: Pick<PatienceLimits, "triesMax">,
    { sinceMs, hasBegun, silentMs, untilMs, answersOthers }: Silence,
  ): void {
    const though = answersOthers ? ", but answers other requests: it is busy, or is loading the model" : "";
    this.#tell({
      calls: this.#calls,
      callsMax: triesMax,
      since: isoTime(this.#sinceMs ?? sinceMs),
      message: `the model server has sent nothing ${hasBegun ? "more " : ""}for ${shownMs(silentMs)}${though}`,
      silent: true,
      retryAt: isoTime(untilMs),
    });
  }

  #tell(tries: Omit<ModelTries, "report">): void {
    this.#report += 1;
    const numbered = { report: this.#report, ...tries };
    if (tries.silent !== true) this.#tried = numbered;
    this.#onFailure(numbered);
  }
}

function leastMs(patienceMs: number): number {
  return patienceMs * LEAST_SHARE;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * How long to wait after a failed attempt: as requested by the server, or else with full jitter below a
 * ceiling that doubles per attempt.
 *
 * @param options.attempt - The failed attempt; the first is 1.
 * @param options.random - Uniform in [0, 1).
 * @returns Whole milliseconds.
 */
export function retryDelayMs(options: {
  readonly attempt: number;
  readonly askedMs: number | undefined;
  readonly random: () => number;
}): number {
  if (options.askedMs !== undefined) return Math.ceil(options.askedMs + options.random() * SPREAD_MS);
  const ceilingMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (options.attempt - 1));
  return Math.floor(options.random() * (ceilingMs + 1));
}
