/** `POST /mcp`: the Model Context Protocol over streamable HTTP. */
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { callMcp, Role } from "@planwright/api";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { z } from "zod";
import { type App, serve } from "../http/contract.ts";
import type { McpServerDeps } from "./create-mcp-server.ts";

/** Headers of the connection and the raw body; they do not apply to the parsed request. */
const OF_THE_CONNECTION = new Set(["connection", "content-length", "expect", "host", "transfer-encoding"]);

/** The caller's data that the protocol's library passes on; without a role, it may only read. */
const CallerOfTool = z.object({
  identity: z.string().optional(),
  role: Role.default("viewer"),
  ip: z.string().default(""),
  ended: z.instanceof(AbortSignal).optional(),
});

/** The MCP library is loaded on first use. */
export function mcpRoute(app: App, deps: McpServerDeps): void {
  let loading: Promise<McpHttpHandler> | undefined;
  serve(app, callMcp, async (request, reply) => {
    loading ??= loadHandler(deps);
    const handler = await loading;
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort(new DOMException("the client has disconnected", "AbortError")));
    const response = await handler.fetch(webRequest(request, gone.signal), {
      parsedBody: request.body,
      // Requests are already authenticated here: the key itself is not passed on.
      authInfo: {
        token: "",
        clientId: request.tenant,
        scopes: [],
        extra: {
          identity: request.identity,
          role: request.role,
          ip: request.ip,
          ended: request.keyEnded,
        },
      },
    });
    return sendWebResponse(response, reply);
  });
  // Not endpoints: the protocol's refusals for clients that want a session.
  app.get("/mcp", { config: { isOther: true } }, refuseSession);
  app.delete("/mcp", { config: { isOther: true } }, refuseSession);
}

async function loadHandler(deps: McpServerDeps): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("./create-mcp-server.ts"),
  ]);
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const { identity, role, ip, ended } = CallerOfTool.parse(authInfo?.extra ?? {});
      const traceparent = requestInfo?.headers.get("traceparent") ?? undefined;
      return createMcpServer(deps, {
        tenant: authInfo?.clientId ?? "",
        identity,
        role,
        ip,
        traceparent,
        ...(ended === undefined ? {} : { ended }),
      });
    },
    { onerror: (err) => deps.log.debug({ err }, "MCP request refused") },
  );
  deps.stopping.addEventListener("abort", () => void handler.close(), { once: true });
  return handler;
}

function webRequest({ url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OF_THE_CONNECTION.has(name) ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(url, "http://gateway.invalid"), { method: "POST", headers: kept, signal });
}

async function sendWebResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  if (response.body === null) return reply.send();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return reply.send(isStream ? Readable.fromWeb(response.body) : await response.text());
}

/** There are no sessions to listen to or to end. */
async function refuseSession(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(405).header("allow", "POST").send({ error: "Method not allowed." });
}
