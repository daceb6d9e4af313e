import type { WebSocket } from "ws";

/**
 * Notices when the peer is gone or does not read, because it leaves two pings unanswered. A dead peer otherwise looks like an
 * idle one.
 *
 * @param options.stallMs - How long the peer may be silent.
 * @param options.onStalled - Called once.
 */
export function keepAlive(
  socket: WebSocket,
  { stallMs, onStalled }: { readonly stallMs: number; readonly onStalled: () => void },
): void {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    // While reading is paused, its pongs are not received.
    if (socket.isPaused) return;
    if (!answered) {
      clearInterval(timer);
      onStalled();
      return;
    }
    answered = false;
    socket.ping();
  }, stallMs / 2);
  socket.once("close", () => clearInterval(timer));
}
