/** A replica that permanently lags behind. */
import type { Bus } from "@planwright/shared/bus";
import { setTimeout as delay } from "node:timers/promises";

/** No message has this subject. */
const NONE = "none.of.these";
const LOOK_MS = 20;
/** One on each server of a cluster. */
const COPIES = 3;

/**
 * Adds a mirror to a stream with messages in a {@link startNatsCluster}. It answers direct gets in turn with the stream
 * itself, like replicas. Resolves once it has answered one; disposing removes it.
 *
 * @param shows - `nothing`: it has not received any message yet. `deleted`: it has not received a deletion yet; for a stream with
 *   one message, so that its answer can be distinguished from the stream's own.
 */
export async function addStaleReplica(
  { manager }: Bus,
  stream: string,
  shows: "nothing" | "deleted",
): Promise<AsyncDisposable> {
  const name = `STALE_${stream}`;
  await manager.streams.add({
    name,
    mirror: { name: stream, ...(shows === "nothing" ? { filter_subject: NONE } : {}) },
    mirror_direct: true,
    allow_direct: true,
    num_replicas: COPIES,
  });
  for (;;) {
    const answer = await manager.direct
      .getMessage(stream, { seq: 1, next_by_subj: ">" })
      .catch(() => undefined);
    const isStale = shows === "nothing" ? answer === null : answer?.header.get("Nats-Stream") === name;
    if (isStale) return { [Symbol.asyncDispose]: async () => void (await manager.streams.delete(name)) };
    await delay(LOOK_MS);
  }
}
