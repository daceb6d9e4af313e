/** What a plan's trace holds of one step: the span of its tool, and the model calls that were made for it. */
import type { Json, Span } from "../api/api-types.ts";
import { isObject } from "../values/is-object.ts";

export type ModelMessage = { readonly role: string; readonly text: string };

export type ModelCall = {
  readonly spanId: string;
  readonly model: string;
  /** Who asked, such as `executor`. */
  readonly agent: string | undefined;
  readonly prompt: string | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly costUsd: number | undefined;
  readonly durationMs: number;
  readonly failed: boolean;
  /** What was asked and what was said; absent where messages are not recorded. */
  readonly messages?: readonly ModelMessage[];
};

export type StepSpans = {
  /** The span of the tool, of the attempt that began last. */
  readonly toolSpanId: string | undefined;
  /** In the order of their beginnings. */
  readonly calls: readonly ModelCall[];
};

/** What runs below a step's spans is the step's, as long as it is not another step's. */
export function stepSpans(spans: readonly Span[], stepId: string): StepSpans {
  const sorted = spans.toSorted(byStart);
  const children = Map.groupBy(sorted, ({ parentSpanId }) => parentSpanId ?? "");
  const own = new Set<Span>();
  const pending = sorted.filter(({ attributes }) => attributes["step.id"] === stepId);
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    const named = span.attributes["step.id"];
    if (own.has(span) || (named !== undefined && named !== stepId)) continue;
    own.add(span);
    pending.push(...(children.get(span.spanId) ?? []));
  }
  const mine = sorted.filter((span) => own.has(span));
  const tool = mine.findLast(({ attributes }) => attributes["gen_ai.operation.name"] === "execute_tool");
  return {
    toolSpanId: tool?.spanId,
    calls: mine.filter(({ attributes }) => attributes["gen_ai.operation.name"] === "chat").map(callOf),
  };
}

function callOf({ spanId, attributes, status, ...times }: Span): ModelCall {
  const messages = [
    ...readMessages(attributes["gen_ai.input.messages"]),
    ...readMessages(attributes["gen_ai.output.messages"]),
  ];
  const nanos = BigInt(times.endTimeUnixNano) - BigInt(times.startTimeUnixNano);
  return {
    spanId,
    model: textOf(attributes["gen_ai.response.model"]) ?? textOf(attributes["gen_ai.request.model"]) ?? "",
    agent: textOf(attributes["gen_ai.agent.name"]),
    prompt: textOf(attributes["gen_ai.prompt.name"]),
    inputTokens: numberOf(attributes["gen_ai.usage.input_tokens"]),
    outputTokens: numberOf(attributes["gen_ai.usage.output_tokens"]),
    costUsd: numberOf(attributes["model.cost_usd"]),
    durationMs: Math.max(0, Number(nanos) / 1e6),
    failed: status === "error",
    ...(messages.length === 0 ? {} : { messages }),
  };
}

/** Messages as OpenTelemetry's conventions for generative AI have them, as JSON; none of anything else. */
function readMessages(value: unknown): ModelMessage[] {
  if (typeof value !== "string") return [];
  let read: Json;
  try {
    read = JSON.parse(value) as Json;
  } catch {
    // Cut off on the way: what there is, is shown.
    return [{ role: "unreadable", text: value }];
  }
  if (!Array.isArray(read)) return [];
  return read.flatMap((message) => {
    if (!isObject(message)) return [];
    const { role, parts } = message;
    const texts = Array.isArray(parts)
      ? parts.flatMap((part) =>
          isObject(part) && typeof part["content"] === "string" ? [part["content"]] : [],
        )
      : [];
    return [{ role: typeof role === "string" ? role : "unknown", text: texts.join("\n") }];
  });
}

function byStart(left: Span, right: Span): number {
  const [first, second] = [BigInt(left.startTimeUnixNano), BigInt(right.startTimeUnixNano)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whole numbers travel as texts in OTLP. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
