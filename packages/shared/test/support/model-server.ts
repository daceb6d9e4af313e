/** A real HTTP server that answers each chat.completions request as scripted by a test. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { z } from "zod";

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

export type ReceivedRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: z.infer<typeof Body>;
};

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

/** Each call gets the next answer, and the last one is repeated. Other requests (`GET /models`) are `looks`. */
export async function startModelServer(...answers: Answer[]) {
  return startServer(answers, (response) => void response.writeHead(404).end());
}

/** The same, with an answer for requests that are not calls; a dead server does not answer these either. */
export async function startServer(answers: readonly Answer[], onLook: (response: ServerResponse) => void) {
  const requests: ReceivedRequest[] = [];
  const looks: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      looks.push(request.url ?? "");
      onLook(response);
      return;
    }
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const body = Body.parse(JSON.parse(Buffer.concat(chunks).toString()));
      const received = { path: request.url ?? "", headers: request.headers, body };
      requests.push(received);
      await answers[Math.min(requests.length, answers.length) - 1]?.(response, received);
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    looks,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };

/** A whole completion. */
export function completion(
  content: string | null,
  { message = {}, ...rest }: Record<string, unknown> = {},
): Answer {
  return (response) => {
    const choice = {
      index: 0,
      message: { role: "assistant", content, ...Object(message) },
      finish_reason: "stop",
    };
    const { finish_reason = "stop", ...top } = rest;
    const body = { id: "c1", model: "m-1", choices: [{ ...choice, finish_reason }], usage: USAGE, ...top };
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  };
}

/** A refusal with a status. */
export function refusal(
  status: number,
  error: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message: `refused with ${status}`, ...error } }));
  };
}

/** The events of a stream with these pieces. */
export function streamOf(
  pieces: readonly string[],
  options: { readonly finish?: string | null; readonly usage?: boolean; readonly done?: boolean } = {},
): string {
  const { finish = "stop", usage = true, done = true } = options;
  const chunk = (choices: unknown[], more = {}) =>
    `data: ${JSON.stringify({ id: "c1", model: "m-1", object: "chat.completion.chunk", choices, ...more })}\n\n`;
  return [
    chunk([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]),
    ...pieces.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    ...(finish === null ? [] : [chunk([{ index: 0, delta: {}, finish_reason: finish }])]),
    ...(usage ? [chunk([], { usage: USAGE })] : []),
    ...(done ? ["data: [DONE]\n\n"] : []),
  ].join("");
}

/** Writes the parts one by one, each in a separate packet, then ends. */
export function sse(...parts: readonly (string | Uint8Array)[]): Answer {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const part of parts) {
      await new Promise((written) => response.write(part, written));
      // A turn of the event loop lets the packet leave before the next one is written.
      await new Promise((turn) => setImmediate(turn));
    }
    response.end();
  };
}

/** Writes a part, then sends nothing more and leaves the response open. */
export function openStream(part: string): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(part);
  };
}
