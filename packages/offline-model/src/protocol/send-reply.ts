/** One reply over HTTP, in the form that the request asked for. */
import { sendJson, untilGone, write } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import { openAiError } from "./open-ai-error.ts";
import { normalReply, type Reply, type TextReply } from "./reply.ts";
import { sendRefusalStream, sendTextStream } from "./send-stream.ts";
import { charsMax, count, usageOf } from "./usage.ts";

export async function sendReply(exchange: Exchange, given: Reply): Promise<void> {
  const reply = normalReply(given);
  const streams = exchange.request.stream === true;
  switch (reply.kind) {
    case "status": {
      const { status, headers = {} } = reply;
      const body = reply.body ?? openAiError(status, `the server responds with ${status}`);
      return sendJson(exchange.response, { status, body, headers });
    }
    case "refusal":
      if (streams) return await sendRefusalStream(exchange, reply);
      return sendJson(exchange.response, {
        status: 200,
        body: completionOf(exchange, {
          content: null,
          refusal: reply.refusal,
          finishReason: "stop",
          usage: null,
        }),
      });
    case "text":
      return await (streams ? sendTextStream(exchange, reply) : sendText(exchange, reply));
    default:
      return reply satisfies never;
  }
}

async function sendText(exchange: Exchange, reply: TextReply): Promise<void> {
  const { response, signal, request } = exchange;
  let content = "";
  if (typeof reply.text === "string") content = reply.text;
  else for await (const piece of reply.text) content += piece;
  const isCut = content.length > charsMax(request);
  if (isCut) content = content.slice(0, charsMax(request));
  count(exchange, content, reply);
  const usage = usageOf(request, content, reply.usage);
  const body = completionOf(exchange, {
    content,
    refusal: null,
    finishReason: isCut ? "length" : (reply.finishReason ?? "stop"),
    usage,
  });

  const ending = reply.ending ?? "complete";
  if (ending === "complete") return sendJson(response, { status: 200, body });
  // The faults of a body: half of it, and then silence, a reset or a clean end.
  const whole = JSON.stringify(body);
  response.writeHead(200, { "content-type": "application/json" });
  await write(response, whole.slice(0, Math.floor(whole.length / 2)), signal);
  if (ending === "stall") await untilGone(signal);
  else if (ending === "reset") response.destroy();
  else response.end();
}

type Completion = {
  readonly content: string | null;
  readonly refusal: string | null;
  readonly finishReason: string;
  readonly usage: object | null;
};

function completionOf(exchange: Exchange, { content, refusal, finishReason, usage }: Completion): object {
  const message = { role: "assistant", content, refusal };
  return {
    id: exchange.id,
    object: "chat.completion",
    created: exchange.created,
    model: exchange.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    ...(usage === null ? {} : { usage }),
  };
}
