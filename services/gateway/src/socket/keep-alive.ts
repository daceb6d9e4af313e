import type { WebSocket } from "ws";

/**
 * Notices that the other side is gone, or does not read: it leaves two pings unanswered. A dead peer looks just like
 * one that has nothing to say.
 *
 * @param options.stallMs - How long the other side may be silent, at most.
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
    // While we do not read from it, its answers are not heard.
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
