import { PermanentError } from "@planwright/shared/errors";
import type { FastifyInstance } from "fastify";

/** Connections waiting to be accepted; beyond this, the system lets them hang and then resets them. */
const BACKLOG = 4_096;

/**
 * Starts to listen.
 *
 * @returns The URL at which this machine reaches the gateway.
 * @throws {PermanentError} `port_taken`, `address_refused`, with how to fix it.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (cause) {
    throw explain(cause, host, port);
  }
  const address = app.server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return `http://${reachable(host)}:${bound}`;
}

function explain(cause: unknown, host: string, port: number): unknown {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return new PermanentError(
        `port ${port} on ${host} is already in use: stop the other program, or set PORT to a free port`,
        { code: "port_taken", cause },
      );
    case "EACCES":
      return new PermanentError(`this user may not listen on port ${port}: set PORT to one above 1023`, {
        code: "address_refused",
        cause,
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new PermanentError(`HOST=${host} is not an address of this machine`, {
        code: "address_refused",
        cause,
      });
    default:
      return cause;
  }
}

function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
