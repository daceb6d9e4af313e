/** A text or refusal reply as server-sent events, one `chat.completion.chunk` each. */
import type { ServerResponse } from "node:http";
import type { ChatRequest } from "./chat-request.ts";
import { untilGone, write } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import type { RefusalReply, Split, TextReply } from "./reply.ts";
import { splitText, charsMax, count, usageOf } from "./usage.ts";

type Delta = { readonly role?: "assistant"; readonly content?: string; readonly refusal?: string };

export async function sendRefusalStream(exchange: Exchange, reply: RefusalReply): Promise<void> {
  const send = openStream(exchange, "merged");
  await send({ delta: { role: "assistant", refusal: reply.refusal } });
  await send({ delta: {}, finishReason: "stop" });
  await send("done");
}

/** Sends pieces as the responder yields them; stops requesting more when the client has disconnected. */
export async function sendTextStream(exchange: Exchange, reply: TextReply): Promise<void> {
  const written = { text: "", isCut: false };
  try {
    await sendText(exchange, reply, written);
  } finally {
    count(exchange, written.text, reply);
  }
}

type Written = { text: string; isCut: boolean };

async function sendText(exchange: Exchange, reply: TextReply, written: Written): Promise<void> {
  const { response, signal, request } = exchange;
  const split = reply.split ?? "words";
  const send = openStream(exchange, split);
  if (!(await send({ delta: { role: "assistant", content: "" } }))) return;
  if (split === "merged") {
    for await (const _piece of limited(reply.text, request, written));
    if (!(await send({ delta: { content: written.text } }))) return;
  } else {
    for await (const piece of limited(reply.text, request, written)) {
      for (const content of splitText(piece, split)) if (!(await send({ delta: { content } }))) return;
    }
  }

  const ending = reply.ending ?? "complete";
  if (ending === "stall") return await untilGone(signal);
  if (ending === "reset") return void response.destroy();
  if (ending === "truncated") return void response.end();

  await send({ delta: {}, finishReason: written.isCut ? "length" : (reply.finishReason ?? "stop") });
  const usage = usageOf(request, written.text, reply.usage);
  if (request.stream_options?.include_usage === true && usage !== null) await send({ usage });
  await send("done");
}

type StreamEvent = "done" | { delta: Delta; finishReason?: string } | { usage: object };

/** Opens the response and returns the function that writes one event; it returns false when the client has disconnected. */
function openStream(exchange: Exchange, split: Split): (event: StreamEvent) => Promise<boolean> {
  const { response, signal } = exchange;
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  response.flushHeaders();
  return async (event) => {
    const data = event === "done" ? "[DONE]" : JSON.stringify(chunkOf(exchange, event));
    const line = Buffer.from(`data: ${data}\n\n`);
    const sent =
      split === "bytes" ? await writeCut(response, line, signal) : await write(response, line, signal);
    if (event === "done") response.end();
    return sent;
  };
}

function chunkOf(exchange: Exchange, event: Exclude<StreamEvent, "done">): object {
  const head = {
    id: exchange.id,
    object: "chat.completion.chunk",
    created: exchange.created,
    model: exchange.model,
  };
  if ("usage" in event) return { ...head, choices: [], usage: event.usage };
  const choice = { index: 0, delta: event.delta, logprobs: null, finish_reason: event.finishReason ?? null };
  const wantsUsage = exchange.request.stream_options?.include_usage === true;
  return { ...head, choices: [choice], ...(wantsUsage ? { usage: null } : {}) };
}

/** Three bytes per write, each in its own turn of the event loop, so that they arrive separately. */
async function writeCut(response: ServerResponse, line: Buffer, signal: AbortSignal): Promise<boolean> {
  for (let start = 0; start < line.length; start += 3) {
    if (!(await write(response, line.subarray(start, start + 3), signal))) return false;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return true;
}

/** The pieces up to the request's own limit, counted as they pass. */
async function* limited(
  text: TextReply["text"],
  request: ChatRequest,
  written: Written,
): AsyncGenerator<string> {
  const most = charsMax(request);
  for await (const whole of piecesOf(text)) {
    const piece = whole.slice(0, most - written.text.length);
    written.text += piece;
    yield piece;
    written.isCut = piece.length < whole.length;
    if (written.isCut) return;
  }
}

async function* piecesOf(text: TextReply["text"]): AsyncGenerator<string> {
  if (typeof text === "string") yield text;
  else yield* text;
}
