/**
 * What becomes of a system whose output nobody takes any more: its terminal was closed, or what it was piped into has
 * ended. Lines for a reader who has gone are no faults of the system.
 */

/** The errors of a pipe that nobody reads, and of a terminal that is no more. */
const READER_GONE = new Set(["EPIPE", "EIO"]);

/**
 * Takes the errors of the streams that lines are printed to. A line that could not be written for another reason, such
 * as a full disk, is lost; the system goes on.
 *
 * @param onGone - Called once, when the reader of one of the streams has gone.
 */
export function watchOutputReader(streams: readonly NodeJS.WriteStream[], onGone: () => void): Disposable {
  let gone = false;
  const onError = (error: NodeJS.ErrnoException) => {
    if (gone || !READER_GONE.has(error.code ?? "")) return;
    gone = true;
    onGone();
  };
  for (const stream of streams) stream.on("error", onError);
  return {
    [Symbol.dispose]() {
      // Whoever prints later finds somebody who takes the error.
      for (const stream of streams) stream.on("error", () => undefined).off("error", onError);
    },
  };
}
