/** One exchange with the server: no retries, no second thoughts. */
import type { Span } from "../telemetry/index.ts";
import { chatBody, isStreamed } from "./chat-request.ts";
import type { ModelCallState, ModelContext } from "./model-context.ts";
import { openAi } from "./open-ai.ts";
import { type RawReply, readCompletion, readStream } from "./read-reply.ts";
import type { Features } from "./server-quirks.ts";
import { JSON_BEGINS, type ReplyForm } from "./strip-reasoning.ts";
import { parseBody } from "./unusable-reply.ts";
import { watchCall } from "./watch-call.ts";

/** Carries an error of the caller's own `onText` past everything that judges the server. */
export class CallerFault extends Error {
  override readonly name = "CallerFault";
  constructor(cause: unknown) {
    super("onText failed", { cause });
  }
}

/**
 * Sends a call once, with these features, and reads the reply.
 *
 * @throws The SDK's errors, an error of ours when a limit was reached, the caller's abort reason, or
 *   a {@link CallerFault}.
 */
export async function attemptOnce(
  context: ModelContext,
  call: ModelCallState,
  features: Features,
  span: Span,
): Promise<RawReply> {
  const { request, model } = call;
  const streamed = isStreamed(request);
  using watch = watchCall({
    caller: request.signal,
    remainingMs: call.deadlineMs - context.now(),
    streamed,
    now: context.now,
    limits: context.limits,
    fetch: context.fetch,
  });
  const { completions } = openAi(context, watch.fetch).chat;
  const body = chatBody(request, model, features);
  const form: ReplyForm = {
    begins: request.outputSchema === undefined ? request.begins : JSON_BEGINS,
    unopened: context.unopened.has(model),
  };
  const whole = async (response: Response): Promise<RawReply> =>
    readCompletion(parseBody(await response.text(), { status: response.status, ...context }), form);
  try {
    if (!streamed) return await whole(await completions.create(body, { signal: watch.signal }).asResponse());
    const usage = features.streamUsage ? { stream_options: { include_usage: true } } : {};
    const streaming = completions.create({ ...body, ...usage, stream: true }, { signal: watch.signal });
    const { data, response } = await streaming.withResponse();
    const onText = deliver(call, span);
    return isStream(response)
      ? await readStream(data, form, onText)
      : inOnePiece(await whole(response), onText);
  } catch (error) {
    call.aliveMs = watch.aliveMs();
    // The SDK wraps aborts in errors of its own, and ends a stream quietly; the reason tells why.
    if (watch.signal.aborted) throw watch.signal.reason;
    throw error;
  }
}

/** A server that cannot stream answers with the whole completion. */
function inOnePiece(raw: RawReply, onText: (piece: string) => void): RawReply {
  if (raw.finishReason !== "refusal" && raw.text !== "") onText(raw.text);
  return raw;
}

/** A body of JSON or a page is no stream, whatever was asked for. */
function isStream(response: Response): boolean {
  return !/\b(?:json|html)\b/.test(response.headers.get("content-type") ?? "");
}

/** Hands text on and notes that the caller has seen some of it. */
function deliver(call: ModelCallState, span: Span) {
  const { onText, onRestart } = call.request;
  let isFirst = true;
  return (piece: string) => {
    if (isFirst) span.addEvent("first text");
    isFirst = false;
    if (onText === undefined) return;
    call.delivered ||= onRestart === undefined;
    try {
      onText(piece);
    } catch (error) {
      throw new CallerFault(error);
    }
  };
}
