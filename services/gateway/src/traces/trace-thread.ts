/** The thread that reads spans and keeps them: thousands in one request must not hold up the plans. */
import os from "node:os";
import { parentPort } from "node:worker_threads";
import { parseJson } from "../http/decode-json.ts";
import { Problem } from "../http/problem.ts";
import { receivedSpans, shownSpan } from "./otlp-request.ts";
import { ownSpans } from "./own-spans.ts";
import type { TraceOutcome, TraceQuestion, TraceReply, TraceRequest } from "./trace-messages.ts";
import { createTraceStore } from "./trace-store.ts";

const store = createTraceStore();
const decoder = new TextDecoder();

parentPort?.on("message", ({ id, question }: TraceRequest) => {
  const outcome = outcomeOf(question);
  parentPort?.postMessage({ id, spanCount: store.spanCount, outcome } satisfies TraceReply);
});
yieldToPlans();

function outcomeOf(question: TraceQuestion): TraceOutcome {
  try {
    if (question.kind === "get") {
      const { planId, trace } = question;
      const spans = ownSpans(store.get(trace.traceId).map(shownSpan), { planId, trace });
      return { kind: "spans", json: JSON.stringify(spans) };
    }
    store.add(receivedSpans(parseJson(decoder.decode(question.body))));
    return { kind: "added" };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    return { kind: "refused", code, message, issues: details.issues };
  }
}

/** Elsewhere a priority is the whole process's. */
function yieldToPlans(): void {
  if (process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
}
