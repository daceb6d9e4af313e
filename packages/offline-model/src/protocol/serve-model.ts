/**
 * A real HTTP server with OpenAI's `POST /v1/chat/completions` and `GET /v1/models` around a responder.
 *
 * The demo model and the scripted model of the tests are responders; everything about the protocol
 * (streams, usage, error bodies, limits, faults) is implemented here, once.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { ChatRequest } from "./chat-request.ts";
import { sendJson, untilGone, write } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import { createJournal, type Journal } from "./journal.ts";
import { normalReply, type Reply, type Respond, type TextReply } from "./reply.ts";
import { sendRefusalStream, sendTextStream } from "./send-stream.ts";
import { charsMax, count, type Tally, usageOf } from "./usage.ts";

const TYPES = new Map([
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [429, "rate_limit_error"],
]);

const BODY_BYTES_MAX = 16 * 1024 * 1024;

const JOURNAL_ENTRIES_MAX = 1_000;

/** The part of a pino logger that is used. */
export type ModelLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

export type ServeModelOptions = {
  readonly respond: Respond;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  readonly log?: ModelLog;
  /** The model that `GET /v1/models` lists and replies name. Default: replies name the requested model. */
  readonly model?: { readonly id: string; readonly description: string };
  /** Default 16 MiB; a larger body is refused with 413. */
  readonly bodyBytesMax?: number;
  /** Default 1,000 requests. */
  readonly journalEntriesMax?: number;
};

export type ModelServer = AsyncDisposable & {
  /** Ends in `/v1`: the base URL for a client. */
  readonly url: string;
  readonly requests: Journal;
  /** Usage counted by the server so far, whether or not its clients received it. */
  readonly counted: Readonly<Tally>;
};

/**
 * Starts the server; disposing it aborts replies in progress and closes every connection.
 *
 * @throws {Error} When the port is in use (the system's `EADDRINUSE`).
 */
export async function serveModel(options: ServeModelOptions): Promise<ModelServer> {
  const tally: Tally = { inputTokens: 0, outputTokens: 0 };
  const journal = createJournal(options.journalEntriesMax ?? JOURNAL_ENTRIES_MAX);
  const closing = new AbortController();
  const host = options.host ?? "127.0.0.1";
  const newId = idsOfOneServer();

  const server = createServer((incoming, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    handle({ incoming, response, signal }).catch((error: unknown) => {
      const fault = error instanceof HttpFault ? error : null;
      if (fault === null && !signal.aborted) options.log?.warn({ err: error }, "model reply failed");
      if (response.headersSent) return void response.destroy();
      const status = fault?.status ?? 500;
      // The rest of a refused body is discarded, and the connection is not used again.
      incoming.resume();
      const body = openAiError(status, fault?.message ?? "the responder failed", fault?.code);
      sendJson(response, { status, body, headers: { connection: "close" } });
    });
  });

  async function handle({ incoming, response, signal }: Handled): Promise<void> {
    const path = new URL(incoming.url ?? "/", "http://model").pathname;
    if (path === "/v1/models") return sendJson(response, { status: 200, body: modelList(options.model) });
    if (path !== "/v1/chat/completions") throw new HttpFault(`no such path: ${path}`, { status: 404 });
    if (incoming.method !== "POST") throw new HttpFault("chat completions require POST", { status: 405 });
    const request = await readRequest(incoming, options.bodyBytesMax ?? BODY_BYTES_MAX);
    const entry = journal.add(request);
    options.log?.info(
      { model: entry.model, schemaName: entry.schemaName, streams: entry.streams },
      "model request",
    );
    const reply = await options.respond(request, { signal });
    await sendReply({ ...identity(request), request, response, signal, tally }, reply);
  }

  function identity(request: ChatRequest): { id: string; created: number; model: string } {
    return {
      id: newId(),
      created: Math.floor(Date.now() / 1_000),
      model: options.model?.id ?? request.model,
    };
  }

  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("model server has no port");
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}/v1`,
    requests: journal,
    counted: tally,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      closing.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Handled = {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
};

function idsOfOneServer(): () => string {
  const prefix = randomUUID().slice(0, 8);
  let number = 0;
  return () => {
    number += 1;
    return `chatcmpl-${prefix}-${number}`;
  };
}

function modelList(model: ServeModelOptions["model"]): object {
  const data = model === undefined ? [] : [{ ...model, object: "model", created: 0, owned_by: "planwright" }];
  return { object: "list", data };
}

/**
 * Reads and checks one chat request.
 *
 * @throws {HttpFault} 413 beyond `bytesMax`, 400 for a body that is not JSON or not a chat request.
 */
async function readRequest(incoming: IncomingMessage, bytesMax: number): Promise<ChatRequest> {
  const body = parseJson(await readBody(incoming, bytesMax));
  const parsed = ChatRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new HttpFault(`not a chat request: ${z.prettifyError(parsed.error)}`, { status: 400 });
}

async function readBody(incoming: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the connection: the refusal still has to be sent over it.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    // The request has no encoding, so its chunks are buffers.
    const buffer = z.instanceof(Buffer).parse(chunk);
    bytes += buffer.length;
    if (bytes > bytesMax) {
      throw new HttpFault(`request body is larger than ${bytesMax} bytes`, { status: 413 });
    }
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new HttpFault("request body is not valid JSON", { status: 400, cause });
  }
}

/** One reply over HTTP, in the requested form. */
async function sendReply(exchange: Exchange, given: Reply): Promise<void> {
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
  // The faults of a body: half of it, followed by silence, a reset or a clean end.
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

/** Errors in the format of OpenAI's servers, so that every client understands them. */
type OpenAiError = {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
};

/** A refusal by the protocol server itself, with the HTTP status that carries it. */
class HttpFault extends Error {
  override readonly name: string = "HttpFault";
  readonly status: number;
  readonly code: string | null;

  constructor(message: string, options: ErrorOptions & { readonly status: number; readonly code?: string }) {
    super(message, options);
    this.status = options.status;
    this.code = options.code ?? null;
  }
}

function openAiError(status: number, message: string, code: string | null = null): OpenAiError {
  const type = TYPES.get(status) ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return { error: { message, type, param: null, code } };
}
