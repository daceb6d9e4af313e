// What a service says of a nats-server that lacks something that it stands on, and that it waits for it.
import {
  BUCKETS,
  bucketStream,
  connectBus,
  provision,
  requireStreams,
  STREAMS,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { startNats } from "@planwright/testkit";
import { expect, it, vi } from "vitest";

it("names the streams that are missing, with the command that creates them, and continues once they are there", async () => {
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  await provision(bus);
  const keys = bucketStream(BUCKETS.keys);
  for (const stream of [STREAMS.audit, keys]) await bus.manager.streams.delete(stream);
  const log = createLogger({ name: "test", level: "silent" });
  const warn = vi.spyOn(log, "warn");
  const found = requireStreams(bus, { log, also: [STREAMS.audit, keys] });
  await expect
    .poll(() => warn.mock.calls)
    .toEqual([
      [
        { missing: [STREAMS.audit, keys] },
        "streams are missing on this NATS server (AUDIT, KV_API_KEYS): run `planwright provision`",
      ],
    ]);
  await provision(bus);
  await found;
});
