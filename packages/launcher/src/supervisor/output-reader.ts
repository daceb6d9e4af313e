/**
 * Handles the loss of the output's reader: the terminal was closed, or the program that the output is piped into has
 * ended. Failing to print then is not an error of the system.
 */

/** The error codes of a pipe without a reader and of a closed terminal. */
const READER_GONE = new Set(["EPIPE", "EIO"]);

/**
 * Handles the errors of the output streams. A line that could not be written for another reason, such as a full disk, is
 * lost; the system keeps running.
 *
 * @param onGone - Called once, when a stream has lost its reader.
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
      // Later prints may still fail: keep a listener, so that the error is not thrown.
      for (const stream of streams) stream.on("error", () => undefined).off("error", onError);
    },
  };
}
