/**
 * How often, and for how long, one piece of work may call a model server that does not answer.
 *
 * A piece of work (a draft, a step, a review, a judgement) shares one of these among all its calls, so that its calls
 * together stay within the limits. A reply starts the count again.
 *
 * Invariants:
 *   PATIENCE-1. No more than `triesMax` calls in a row fail before the work fails.
 *   PATIENCE-2. No call is made when `patienceMs` have passed since the server last showed a sign of life.
 *   PATIENCE-3. A server that says that it is loading its model has `loadingMs` instead, and these calls do not count.
 */
import { MODEL_UNAVAILABLE, type ModelTries } from "@planwright/plan";
import { PermanentError, type TransientError } from "../errors.ts";
import { causeOf, isLoading } from "./classify-failure.ts";

export type PatienceLimits = {
  /** Calls that may fail in a row. */
  readonly triesMax: number;
  /** Since the server last showed a sign of life, in milliseconds. */
  readonly patienceMs: number;
  /** For a server that is loading its model, in milliseconds. */
  readonly loadingMs: number;
};

/** Work that was delivered before may have made calls that nobody has counted: each delivery is taken for these. */
const CALLS_PER_LOST_DELIVERY = 2;
/** A server that loads its model is reported at first, and then this often. */
const LOADING_REPORT_MS = 30_000;
const MESSAGE_CHARS_MAX = 2_000;

/** The model server did not answer within the limits: no other call of this piece of work is made. */
export class ModelUnavailableError extends PermanentError {
  override readonly name = "ModelUnavailableError";
  /** How long the server asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  /** The failure of the last call; no cause, because the message says it. */
  readonly last: TransientError;

  constructor(message: string, last: TransientError) {
    super(message, { code: MODEL_UNAVAILABLE });
    this.retryAfterMs = last.retryAfterMs;
    this.last = last;
  }
}

export type PatienceOptions = {
  /** What earlier work on the same thing has used up of the limits, as its log says. */
  readonly tried?: ModelTries | undefined;
  /** How often the work was delivered, this time included; default 1. */
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

  constructor({ tried, deliveries = 1, onFailure = () => undefined }: PatienceOptions = {}) {
    this.#onFailure = onFailure;
    this.#report = tried?.report ?? 0;
    this.#calls = (tried?.calls ?? 0) + CALLS_PER_LOST_DELIVERY * (deliveries - 1);
    this.#sinceMs = tried === undefined ? undefined : Date.parse(tried.since);
  }

  /** Whether no call is left. */
  isUsedUp({ triesMax }: PatienceLimits): boolean {
    return this.#calls >= triesMax;
  }

  /** Counts a call that failed. @param aliveMs - When the server last showed a sign of life, or was called. */
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
  }

  /**
   * Says whether another call may be made after a wait.
   *
   * @throws {ModelUnavailableError} When the limits leave no other call.
   */
  refuseBeyond(
    limits: PatienceLimits,
    {
      error,
      nowMs,
      delayMs,
    }: { readonly error: TransientError; readonly nowMs: number; readonly delayMs: number },
  ): void {
    const cause = causeOf(error).slice(0, MESSAGE_CHARS_MAX);
    const { retryAfterMs } = error;
    const fail = (what: string): never => {
      throw new ModelUnavailableError(`${cause}; ${what}`, error);
    };
    if (this.#loadingSinceMs !== undefined) {
      if (nowMs + delayMs - this.#loadingSinceMs <= limits.loadingMs) return;
      fail(`that took longer than ${seconds(limits.loadingMs)} (MODEL_LOADING_MS)`);
    }
    const elapsedMs = nowMs + delayMs - (this.#sinceMs ?? nowMs);
    if (retryAfterMs !== undefined && retryAfterMs > limits.patienceMs) {
      fail(
        `the server asks to wait ${seconds(retryAfterMs)}, and MODEL_PATIENCE_MS allows ${seconds(limits.patienceMs)}`,
      );
    }
    const times = this.#calls === 1 ? "1 call" : `${this.#calls} calls`;
    if (this.isUsedUp(limits)) fail(`gave up after ${times} (MODEL_TRIES_MAX)`);
    if (elapsedMs > limits.patienceMs) {
      fail(
        `gave up after ${times}, because ${seconds(limits.patienceMs)} would pass without an answer (MODEL_PATIENCE_MS)`,
      );
    }
  }

  /** Reports the failure of a call that will be made again. */
  report(
    limits: PatienceLimits,
    {
      error,
      nowMs,
      delayMs,
    }: { readonly error: TransientError; readonly nowMs: number; readonly delayMs: number },
  ): void {
    const loading = this.#loadingSinceMs !== undefined;
    if (loading && this.#loadingSinceMs !== nowMs && nowMs - this.#reportedMs < LOADING_REPORT_MS) return;
    this.#reportedMs = nowMs;
    this.#report += 1;
    this.#onFailure({
      report: this.#report,
      calls: this.#calls,
      callsMax: limits.triesMax,
      since: new Date(this.#sinceMs ?? this.#loadingSinceMs ?? nowMs).toISOString(),
      message: causeOf(error).slice(0, MESSAGE_CHARS_MAX),
      ...(loading ? { loading } : {}),
      retryAt: new Date(nowMs + delayMs).toISOString(),
    });
  }
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`;
}
