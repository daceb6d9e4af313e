import type { WebSocket } from "ws";

const PING_MS = 15_000;

/**
 * Ends a connection whose other side is gone, or has not read for two pings: a dead peer looks just like one that
 * has nothing to say.
 */
export function keepAlive(socket: WebSocket): void {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, PING_MS);
  socket.once("close", () => clearInterval(timer));
}
