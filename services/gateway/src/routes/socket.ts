import { openSocket } from "@planwright/api";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { serveSocket, type SocketDeps } from "../socket/serve-socket.ts";

/** `GET /v1/ws`: submit, watch and cancel plans over one WebSocket. */
export function socketRoute(app: App, deps: SocketDeps): void {
  const countRequest = app.createRateLimit();
  const refuse = (): never => {
    throw new Problem(
      "upgrade_needed",
      "wanted a WebSocket: send `Connection: Upgrade` and `Upgrade: websocket`",
    );
  };
  serve(app, openSocket, refuse, {
    wsHandler: (socket, request) => {
      serveSocket(
        socket,
        {
          connection: request.raw.socket,
          ip: request.ip,
          tenant: request.tenant,
          identity: request.identity,
          role: request.role,
          ...(request.keyEnded === undefined ? {} : { ended: request.keyEnded }),
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
