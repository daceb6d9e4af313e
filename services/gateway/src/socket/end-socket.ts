import type { WebSocket } from "ws";

/** Codes of RFC 6455 and its registry. */
export const CLOSE_CODES = { goingAway: 1001, policyViolation: 1008, tryAgainLater: 1013 } as const;

/**
 * Ends a connection with the reason why. A client that does not read it within the grace is cut off anyway, and what
 * was kept for them is dropped.
 */
export function endSocket(
  socket: WebSocket,
  { code, reason, graceMs }: { readonly code: number; readonly reason: string; readonly graceMs: number },
): void {
  if (socket.readyState === socket.CLOSED) return;
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), graceMs).unref();
  socket.once("close", () => clearTimeout(timer));
}
