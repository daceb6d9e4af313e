/** The thread that reads and stores spans: thousands in one request must not delay the plans. */
import os from "node:os";
import { parentPort } from "node:worker_threads";
import { parseJson } from "../http/decode-json.ts";
import { Problem } from "../http/problem.ts";
import { readOtlpProtobuf } from "./otlp-protobuf.ts";
import { receivedSpans } from "./otlp-request.ts";
import { ownSpans, type OwnTrace } from "./own-spans.ts";
import type {
  Added,
  OtlpBody,
  TraceOutcome,
  TraceQuestion,
  TraceReply,
  TraceRequest,
} from "./keep-traces.ts";
import { createTraceStore } from "./trace-store.ts";
import { unpackBody } from "./unpack-body.ts";

/** The number of deleted plans to remember, since their spans may still arrive. */
const DELETED_KNOWN_MAX = 10_000;

const store = createTraceStore();
/** The deleted plans, by trace. */
const deleted = new Map<string, OwnTrace[]>();
const decoder = new TextDecoder();

parentPort?.on("message", ({ id, question }: TraceRequest) => {
  const outcome = outcomeOf(question);
  parentPort?.postMessage({ id, figures: store.figures, outcome } satisfies TraceReply);
});
yieldToPlans();

function outcomeOf(question: TraceQuestion): TraceOutcome {
  try {
    if (question.kind === "add") return { kind: "added", ...take(question) };
    const { kind, ...plan } = question;
    if (kind === "forget") {
      forget(plan);
      return { kind: "forgotten" };
    }
    const { spans, dropped, evicted } = store.get(plan.trace.traceId, plan.tenant);
    const own = ownSpans(spans, plan);
    return { kind: "spans", spans: JSON.stringify(own), dropped, evicted };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    return { kind: "refused", code, message, issues: details.issues };
  }
}

function take({ body, format, encoding, sender }: OtlpBody): Added {
  const bytes = unpackBody(body, encoding);
  const request = format === "json" ? parseJson(decoder.decode(bytes)) : readOtlpProtobuf(bytes);
  const { spans, refused, faults } = receivedSpans(request);
  const dropped = store.add(spans, sender);
  for (const traceId of new Set(spans.map((span) => span.traceId))) {
    for (const plan of deleted.get(traceId) ?? []) removeSpans(plan);
  }
  const messages = [...faults, ...(dropped === 0 ? [] : [`${dropped} spans of traces that have too many`])];
  return { rejected: refused + dropped, message: messages.join("; ") };
}

function forget(plan: OwnTrace): void {
  const { traceId } = plan.trace;
  const peers = deleted.get(traceId)?.filter(({ planId }) => planId !== plan.planId) ?? [];
  deleted.delete(traceId);
  deleted.set(traceId, [...peers, plan]);
  const [oldest] = deleted.keys();
  if (deleted.size > DELETED_KNOWN_MAX && oldest !== undefined) deleted.delete(oldest);
  removeSpans(plan);
}

function removeSpans(plan: OwnTrace): void {
  const { tenant, trace } = plan;
  const { traceId } = trace;
  const own = ownSpans(store.get(traceId, tenant).spans, plan);
  store.remove(traceId, tenant, new Set(own.map(({ spanId }) => spanId)));
}

/** Only on Linux: elsewhere, a priority applies to the whole process. */
function yieldToPlans(): void {
  if (process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
}
