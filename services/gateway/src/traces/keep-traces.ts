import type { PlanId, PlanTrace } from "@planwright/plan";
import type { Logger } from "@planwright/shared/service";
import { Problem } from "../http/problem.ts";
import { askTraceThread } from "./ask-trace-thread.ts";

/** Bodies that have not been read yet. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;

export type Traces = AsyncDisposable & {
  /**
   * Takes in the body of an OTLP request.
   *
   * @throws {Problem} `malformed_json`, `invalid_request`; `overloaded` when too much has not been read yet.
   */
  add(body: Uint8Array): Promise<void>;
  /** The plan's spans in the order of their beginnings, as a JSON list. */
  get(plan: { readonly planId: PlanId; readonly trace: PlanTrace }): Promise<string>;
  readonly spanCount: number;
};

/**
 * Keeps the spans that came in last, in a thread of its own; with the thread they are lost.
 *
 * @param options.unreadBytesMax - Default 64 MiB.
 */
export function keepTraces({
  log,
  unreadBytesMax = UNREAD_BYTES_MAX,
}: {
  readonly log: Logger;
  readonly unreadBytesMax?: number;
}): Traces {
  const thread = askTraceThread(log);
  let unreadBytes = 0;
  return {
    async add(body) {
      const bytes = body.byteLength;
      if (unreadBytes + bytes > unreadBytesMax) {
        throw new Problem("overloaded", "More spans came than could be read; try again.", { retryAfterS: 1 });
      }
      unreadBytes += bytes;
      try {
        // A copy of its own, to be given away: a buffer may share its memory with others.
        const own = new Uint8Array(body);
        const outcome = await thread.ask({ kind: "add", body: own }, [own.buffer]);
        if (outcome.kind !== "refused") return;
        const { code, message, issues } = outcome;
        throw new Problem(code, message, issues === undefined ? {} : { issues });
      } finally {
        unreadBytes -= bytes;
      }
    },
    async get(plan) {
      if (!thread.isRunning) return "[]";
      const outcome = await thread.ask({ kind: "get", ...plan });
      return outcome.kind === "spans" ? outcome.json : "[]";
    },
    get spanCount() {
      return thread.spanCount;
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
