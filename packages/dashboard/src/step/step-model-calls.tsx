import type { Span, StepView, Json } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { formatCount, formatDuration } from "../ui/format.ts";
import { useChanges } from "../ui/use-changes.ts";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";
import { Folded } from "../values/folded.tsx";
import { formatUsd } from "@planwright/plan/amounts";
import { Row, RowCode, RowFault, Rows, RowTitle, Small } from "./step-parts.tsx";
import { STEP_MODEL_CALLS } from "./step-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import { isObject } from "../values/is-object.ts";

const CALLS_SHOWN = 60;
/** Services export spans some time after they ended. */
const LATE_SPANS_MS = [1_000, 5_000] as const;
const RECENT_MS = 10_000;
const NEVER: readonly number[] = [];

/** The step's part of the plan's trace: read when the step is opened, when it has changed, and until its last spans arrive. */
export function useStepSpans(
  planId: string,
  step: Pick<StepView, "id" | "startedAt" | "endedAt">,
): Loaded<StepSpans> {
  const { gateway } = useServices();
  const hasRun = step.startedAt !== undefined || step.endedAt !== undefined;
  const { version } = useChanges(step, isRecent(step.endedAt, Date.now()) ? LATE_SPANS_MS : NEVER);
  const loaded: Loaded<readonly Span[]> = useLoaded(
    planId,
    hasRun ? version : 0,
    async (signal) => (await gateway.trace(planId, signal)).spans,
    { insists: true },
  );
  return loaded.phase === "ready" ? { ...loaded, value: stepSpans(loaded.value, step.id) } : loaded;
}

function isRecent(endedAt: string | undefined, nowMs: number): boolean {
  return endedAt === undefined || nowMs - Date.parse(endedAt) < RECENT_MS;
}

/** The model calls made for the step, with their messages where these are recorded. */
export function StepModelCalls({ planId, calls }: { planId: string; calls: readonly ModelCall[] }) {
  const isRecorded = calls.some(({ messages }) => messages !== undefined);
  return (
    <>
      <Rows>
        {calls.slice(0, CALLS_SHOWN).map((call, index) => (
          <Call key={call.spanId} planId={planId} call={call} number={index + 1} />
        ))}
      </Rows>
      {calls.length > CALLS_SHOWN && <p className="soft">{COMMON.andMore(calls.length - CALLS_SHOWN)}</p>}
      {!isRecorded && (
        <p className="soft">
          {STEP_MODEL_CALLS.notRecorded} <code>{STEP_MODEL_CALLS.setting}</code> {STEP_MODEL_CALLS.toRecord}
        </p>
      )}
    </>
  );
}

function Call({ planId, call, number }: { planId: string; call: ModelCall; number: number }) {
  const { model, prompt, agent, inputTokens, outputTokens, costUsd, durationMs, failed, messages } = call;
  return (
    <Row
      number={number}
      head={
        <>
          {failed && <RowFault />}
          <RowCode>{model}</RowCode>
        </>
      }
      words={prompt ?? agent}
      time={formatDuration(durationMs)}
      details={{ "data-testid": "model-call" }}
    >
      <Small>
        {agent !== undefined && <span>{STEP_MODEL_CALLS.requestedBy(agent)}</span>}
        {inputTokens !== undefined && <span>{STEP_MODEL_CALLS.in(formatCount(inputTokens, "token"))}</span>}
        {outputTokens !== undefined && (
          <span>{STEP_MODEL_CALLS.out(formatCount(outputTokens, "token"))}</span>
        )}
        {costUsd !== undefined && <span>{formatUsd(costUsd)}</span>}
        <Link href={`/plans/${planId}?tab=trace&span=${call.spanId}`}>{STEP_MODEL_CALLS.inTheTrace}</Link>
      </Small>
      {messages?.map(({ role, text }, index) => (
        // The messages of a call never change their order.
        <div key={index}>
          <RowTitle>{role}</RowTitle>
          <Folded chars={text.length}>
            <pre className="text-block" tabIndex={0} aria-label={STEP_MODEL_CALLS.messageOf(role)}>
              {text}
            </pre>
          </Folded>
        </div>
      ))}
    </Row>
  );
}

/** One step's part of a plan's trace: the span of its tool, and its model calls. */
export type ModelMessage = { readonly role: string; readonly text: string };

export type ModelCall = {
  readonly spanId: string;
  readonly model: string;
  /** The caller, such as `executor`. */
  readonly agent: string | undefined;
  readonly prompt: string | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly costUsd: number | undefined;
  readonly durationMs: number;
  readonly failed: boolean;
  /** The prompt and the reply; absent where messages are not recorded. */
  readonly messages?: readonly ModelMessage[];
};

export type StepSpans = {
  /** The tool's span in the latest attempt. */
  readonly toolSpanId: string | undefined;
  /** By start time. */
  readonly calls: readonly ModelCall[];
};

/** Spans below a step's spans belong to the step, unless they belong to another step. */
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

/** Messages in the JSON format of OpenTelemetry's conventions for generative AI; empty for anything else. */
function readMessages(value: unknown): ModelMessage[] {
  if (typeof value !== "string") return [];
  let read: Json;
  try {
    read = JSON.parse(value) as Json;
  } catch {
    // The text was truncated on the way: show what arrived.
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

/** OTLP sends integers as text. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
