/**
 * A model client that counts the usage of one piece of work, and keeps it within its allowance.
 *
 * Invariants:
 *   SPENDING-1. The usage that was counted, that may have been counted, and that calls in flight may still add never exceeds
 *       the allowance in total, unless the estimate of a prompt's tokens is too low.
 *   SPENDING-2. A call that cannot fit is refused before it is sent.
 *   SPENDING-3. Once closed, it sends nothing more.
 */
import {
  ALLOWANCE_SPENT,
  type Allowance,
  addUsage,
  type Forfeit,
  NO_USAGE,
  type Usage,
} from "@planwright/plan";
import { PermanentError } from "../../errors.ts";
import type { TraceParent } from "../../telemetry/index.ts";
import type { ModelPrice } from "../../service/model-config.ts";
import { type BoundCall, boundCall, leastWords, type Left } from "./bound-call.ts";
import type { ModelClient, ModelReply, ModelRequest } from "../model-client.ts";
import { type ModelPatience, ModelUnavailableError } from "../call/model-patience.ts";
import { planUsage } from "./model-usage.ts";
import { APIError } from "openai/error";

export type MeterOptions = {
  /** Without one, calls are counted but not limited. */
  readonly allowance?: Allowance | undefined;
  /** The parent span of calls without their own. */
  readonly trace?: TraceParent | undefined;
  /** Limits the calls of the work together while the model server does not answer. */
  readonly patience?: ModelPatience;
};

export class SpendingMeter {
  /** Enforces the allowance. */
  readonly model: ModelClient;
  readonly #client: ModelClient;
  readonly #options: MeterOptions;
  readonly #inFlight = new Set<Call>();
  #usage = NO_USAGE;
  /** The maximum cost of calls that broke off. */
  #lost: Forfeit = { tokens: 0, usd: 0 };
  #isSpent = false;
  #isClosed = false;

  constructor(client: ModelClient, options: MeterOptions) {
    this.#client = client;
    this.#options = options;
    this.model = { ...client, complete: (request) => this.#complete(request) };
  }

  /** Whether a call was refused or a reply cut off because the allowance was used up. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /**
   * Returns the usage so far. `forfeited` is the maximum cost of calls that broke off or are still in flight;
   * absent without an allowance.
   */
  report(): { readonly usage: Usage; readonly forfeited?: Forfeit } {
    const usage = this.#usage;
    if (this.#options.allowance === undefined) return { usage };
    const forfeited = [...this.#inFlight].reduce((sum, { worst }) => plus(sum, worst), this.#lost);
    return { usage, ...(forfeited.tokens > 0 || forfeited.usd > 0 ? { forfeited } : {}) };
  }

  /** Refuses every further call. */
  close(): void {
    this.#isClosed = true;
  }

  async #complete(request: ModelRequest): Promise<ModelReply> {
    const { allowance, trace, patience } = this.#options;
    if (this.#isClosed)
      throw new PermanentError("the work that this call was part of has ended", { code: "work_over" });
    const asked = {
      ...(trace === undefined ? {} : { trace }),
      ...(patience === undefined ? {} : { patience }),
      ...request,
    };
    if (allowance !== undefined) return this.#completeWithin(asked, await this.#admit(asked, allowance));
    const reply = await this.#client.complete(asked);
    this.#usage = addUsage(this.#usage, planUsage(reply.usage));
    return reply;
  }

  /**
   * Reserves the maximum cost of the call immediately, so that no other call can. Waits for calls in flight when their
   * reservations would be enough.
   */
  async #admit(request: ModelRequest, allowance: Allowance): Promise<Call> {
    const price = this.#client.priceOf?.(request.model);
    if (allowance.maxUsd !== undefined && price === undefined) throw unknownPrice(request);
    for (;;) {
      const left = this.#left(allowance);
      const bound = this.#isClosed ? undefined : boundCall(request, { left, price });
      if (bound !== undefined) return this.#take(bound);
      if (this.#inFlight.size === 0) throw this.#refuse(request, { allowance, left, price });
      await Promise.race([...this.#inFlight].map(({ over }) => over));
      request.signal.throwIfAborted();
    }
  }

  #take(bound: BoundCall): Call {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const call = { ...bound, over, end };
    this.#inFlight.add(call);
    return call;
  }

  async #completeWithin(request: ModelRequest, call: Call): Promise<ModelReply> {
    const { maxOutputTokens, worst } = call;
    const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
    try {
      const reply = await this.#client.complete({ ...request, ...limit, metered: true });
      this.#usage = addUsage(this.#usage, planUsage(reply.usage));
      if (reply.usage.estimated) this.#lost = plus(this.#lost, restOf(worst, reply));
      this.#isSpent ||= reply.finishReason === "length" && maxOutputTokens !== request.maxOutputTokens;
      return reply;
    } catch (error) {
      if (mayHaveCost(error)) this.#lost = plus(this.#lost, worst);
      throw error;
    } finally {
      this.#inFlight.delete(call);
      call.end();
    }
  }

  /** Infinite when there is no limit. */
  #left({ maxTokens = Infinity, maxUsd = Infinity }: Allowance): Left {
    const { usage, forfeited = { tokens: 0, usd: 0 } } = this.report();
    const { inputTokens, outputTokens, costUsd } = usage;
    return {
      tokens: maxTokens - inputTokens - outputTokens - forfeited.tokens,
      usd: maxUsd - (costUsd ?? 0) - forfeited.usd,
    };
  }

  #refuse(
    request: ModelRequest,
    { allowance, left, price }: { allowance: Allowance; left: Left; price: ModelPrice | undefined },
  ): PermanentError {
    const { maxTokens, maxUsd } = allowance;
    if (maxTokens === 0 || (maxTokens === undefined && maxUsd === 0)) {
      // Trying again would not bring a larger allowance.
      const message = "the tool does not declare that it calls a model, so no budget is reserved for it";
      return new PermanentError(message, { code: "no_allowance" });
    }
    this.#isSpent = true;
    const has = [
      ...(Number.isFinite(left.tokens) ? [`${left.tokens} tokens`] : []),
      ...(Number.isFinite(left.usd) ? [`${left.usd} US dollars`] : []),
    ].join(" and ");
    return new PermanentError(
      `the allowance is spent: ${has} are left, and the next call would reserve ${leastWords(request, price)}`,
      { code: ALLOWANCE_SPENT },
    );
  }
}

type Call = BoundCall & { readonly over: Promise<void>; readonly end: () => void };

function plus(left: Forfeit, right: Forfeit): Forfeit {
  return { tokens: left.tokens + right.tokens, usd: left.usd + right.usd };
}

/** A server that sends no count may have counted up to the limit. */
function restOf(worst: Forfeit, { usage }: ModelReply): Forfeit {
  return {
    tokens: Math.max(0, worst.tokens - usage.inputTokens - usage.outputTokens),
    usd: Math.max(0, worst.usd - (usage.costUsd ?? 0)),
  };
}

function unknownPrice({ model }: ModelRequest): PermanentError {
  return new PermanentError(
    `the price of ${model ?? "the model"} is unknown, so a budget in dollars cannot be enforced: set MODEL_PRICES`,
    { code: "price_unknown" },
  );
}

/** Errors of connections that were never established. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** Errors of this client, before anything was sent. */
const OWN_REFUSALS = new Set(["model_key_missing", "no_token_limit"]);
const CAUSES_MAX = 8;

/** Whether the server may have counted a failed call: it was sent, and not refused with a status. */
export function mayHaveCost(error: unknown): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < CAUSES_MAX; depth++) {
    if (current instanceof APIError && typeof current.status === "number") return false;
    if (current instanceof PermanentError && OWN_REFUSALS.has(current.code)) return false;
    if ("code" in current && NEVER_SENT.has(String(current.code))) return false;
    current = current instanceof ModelUnavailableError ? current.last : current.cause;
  }
  return true;
}
