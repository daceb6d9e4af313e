import type { FastifyInstance } from "fastify";
import { Problem } from "../http/problem.ts";
import { serveSocket, type SocketDeps } from "../socket/serve-socket.ts";

/** `GET /v1/ws`: submit, watch and cancel plans over one WebSocket. */
export function socketRoute(app: FastifyInstance, deps: SocketDeps): void {
  const countRequest = app.createRateLimit();
  app.route({
    method: "GET",
    url: "/v1/ws",
    schema: {
      summary: "Submit, watch and cancel over a WebSocket",
      description:
        "Subprotocol `planwright.v1`. A browser sends its key as a second subprotocol, `bearer.` and the key in base64url.",
      tags: ["live"],
    },
    handler: () => {
      throw new Problem(
        "upgrade_needed",
        "wanted a WebSocket: send `Connection: Upgrade` and `Upgrade: websocket`",
      );
    },
    wsHandler: (socket, request) => {
      serveSocket(
        socket,
        {
          connection: request.raw.socket,
          tenant: request.tenant,
          traceparent: request.headers["traceparent"]?.toString(),
          async countRequest() {
            const rate = await countRequest(request);
            if (rate.isAllowed || !rate.isExceeded) return;
            throw new Problem("rate_limited", `wanted at most ${rate.max} requests a minute, got more`, {
              retryAfterS: Math.ceil(rate.ttl / 1_000),
            });
          },
        },
        deps,
      );
    },
  });
}
