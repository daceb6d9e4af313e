/**
 * The format of the log. It grows when an earlier version can't read what this one writes.
 *
 * - 2: each message is one event.
 * - 3: a message may be a batch of events (`RecordBatch` of packages/plan), and light steps run in units.
 */
import type { StreamInfo } from "@nats-io/jetstream";
import { PermanentError } from "../errors.ts";

export const LOG_FORMAT = "3";
/** In the metadata of the stream `PLANS`. Logs of format 1 have none. */
export const LOG_FORMAT_KEY = "planwright_log_format";

/**
 * Refuses a log that this version can't read, before anything is changed.
 *
 * @throws {PermanentError} `log_format`
 */
export function requireLogFormat({ config, state }: Pick<StreamInfo, "config" | "state">): void {
  const { [LOG_FORMAT_KEY]: format = "1" } = config.metadata ?? {};
  if (format === LOG_FORMAT || state.messages === 0) return;
  throw new PermanentError(
    `the plans on this NATS server were written by ${Number(format) < Number(LOG_FORMAT) ? "an older" : "a newer"} version of Planwright (log format ${format}; this version reads ${LOG_FORMAT}): ` +
      "nothing was changed; run that version on them, or start this one on another NATS server or data folder (`planwright start --data DIR`)",
    { code: "log_format" },
  );
}
