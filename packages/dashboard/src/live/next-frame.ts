/** Hidden pages have no frames. */
const HIDDEN_MS = 250;

/** Calls back when the next frame is due, or before long in a page that nobody sees. */
export function nextFrame(callback: () => void): () => void {
  if (document.visibilityState === "visible") {
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  }
  const timer = setTimeout(callback, HIDDEN_MS);
  return () => clearTimeout(timer);
}
