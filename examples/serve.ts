/** What the servers of examples have in common: small worlds outside, each in a separate process. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import process from "node:process";
import { text } from "node:stream/consumers";

const BODY_CHARS_MAX = 4 * 1024 * 1024;

export type Asked = {
  readonly method: string;
  readonly path: string;
  /** Of the header `Idempotency-Key`; empty without one. */
  readonly key: string;
  readonly body: string;
};
export type Answered = { readonly status: number; readonly type?: string; readonly body: string };

/** Answers requests at `PORT`, or at the example's own port, until the process is ended or left alone. */
export async function serve(ownPort: number, answer: (asked: Asked) => Promise<Answered> | Answered) {
  const server = createServer((request, response) => {
    askedOf(request)
      .then(answer)
      .then(({ status, type = "application/json", body }) =>
        response.writeHead(status, { "content-type": type }).end(body),
      )
      // A client that was killed in the middle of a request takes nothing down with it.
      .catch(() => response.destroy());
  }).listen(Number(process.env["PORT"] ?? ownPort), "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ownPort}`;
  console.log(`listening on ${url}`);
  process.send?.({ type: "ready", url });
  process.on("disconnect", () => process.exit(0));
}

async function askedOf(request: IncomingMessage): Promise<Asked> {
  const { pathname } = new URL(request.url ?? "/", "http://example");
  const body = await text(request);
  if (body.length > BODY_CHARS_MAX) throw new Error("the body is too long");
  const key = String(request.headers["idempotency-key"] ?? "");
  return { method: request.method ?? "GET", path: decodeURIComponent(pathname), key, body };
}

export function json(value: unknown, status = 200): Answered {
  return { status, body: JSON.stringify(value) };
}
