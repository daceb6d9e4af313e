import websocket from "@fastify/websocket";
import { SOCKET_PROTOCOL } from "@planwright/api";
import type { FastifyInstance } from "fastify";

/** For the envelope of a body that is as large as HTTP allows. */
const ENVELOPE_BYTES_MAX = 64 * 1024;

/**
 * Makes the server understand WebSockets.
 *
 * Register it before any hook that may refuse a request: it is what ends the connection of a refused upgrade.
 */
export async function acceptSockets(
  app: FastifyInstance,
  { bodyBytesMax }: { readonly bodyBytesMax: number },
): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: bodyBytesMax + ENVELOPE_BYTES_MAX,
      handleProtocols: (offered) => (offered.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
    },
    // The library closes the connection with its code; ending it immediately would lose that.
    errorHandler: (error, _socket, request) => request.log.debug({ err: error }, "a socket failed"),
  });
}
