/** The thread that reads spans and keeps them: thousands in one request must not hold up the plans. */
import os from "node:os";
import { parentPort } from "node:worker_threads";
import { parseJson } from "../http/decode-json.ts";
import { Problem } from "../http/problem.ts";
import { readOtlpProtobuf } from "./otlp-protobuf.ts";
import { receivedSpans } from "./otlp-request.ts";
import { ownSpans } from "./own-spans.ts";
import { shownSpan } from "./shown-span.ts";
import type {
  Added,
  OtlpBody,
  TraceOutcome,
  TraceQuestion,
  TraceReply,
  TraceRequest,
} from "./trace-messages.ts";
import { createTraceStore } from "./trace-store.ts";
import { unpackBody } from "./unpack-body.ts";

const store = createTraceStore();
const decoder = new TextDecoder();

parentPort?.on("message", ({ id, question }: TraceRequest) => {
  const outcome = outcomeOf(question);
  parentPort?.postMessage({ id, figures: store.figures, outcome } satisfies TraceReply);
});
yieldToPlans();

function outcomeOf(question: TraceQuestion): TraceOutcome {
  try {
    if (question.kind === "add") return { kind: "added", ...take(question) };
    const { planId, trace } = question;
    const { spans, dropped, evicted } = store.get(trace.traceId);
    const own = ownSpans(spans.map(shownSpan), { planId, trace });
    return { kind: "spans", spans: JSON.stringify(own), dropped, evicted };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    return { kind: "refused", code, message, issues: details.issues };
  }
}

function take({ body, format, encoding }: OtlpBody): Added {
  const bytes = unpackBody(body, encoding);
  const request = format === "json" ? parseJson(decoder.decode(bytes)) : readOtlpProtobuf(bytes);
  const { spans, refused, faults } = receivedSpans(request);
  const dropped = store.add(spans);
  const messages = [...faults, ...(dropped === 0 ? [] : [`${dropped} spans of traces that have too many`])];
  return { rejected: refused + dropped, message: messages.join("; ") };
}

/** Elsewhere a priority is the whole process's. */
function yieldToPlans(): void {
  if (process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
}
