import { Kvm } from "@nats-io/kv";
import type { Bus } from "./connect-bus.ts";

export type Checkpoint = {
  /** As it was when it was opened; 1 when there was none. */
  readonly value: number;
  /** Keeps the value; a value that cannot be kept only makes the next start read more. */
  save(value: number): Promise<void>;
};

/** A stream sequence from which a log has to be read again, kept over restarts. */
export async function openCheckpoint(
  bus: Bus,
  { bucket, key }: { bucket: string; key: string },
): Promise<Checkpoint> {
  const kv = await new Kvm(bus.js).open(bucket);
  const stored = Number((await kv.get(key))?.string() ?? "1");
  const value = Number.isSafeInteger(stored) && stored > 0 ? stored : 1;
  let last = value;
  return {
    value,
    async save(next) {
      if (next === last || bus.connection.isClosed()) return;
      last = next;
      await kv.put(key, String(next)).catch(() => undefined);
    },
  };
}
