// How a service reports that a nats-server lacks something it requires, and waits for it.
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

it("rejects a log written by another version, and changes nothing", async () => {
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  const { streams } = bus.manager;
  await streams.add({ name: STREAMS.plans, subjects: ["plan.>"] });
  await bus.connection.request("plan.0.p1.control.submitted", "{}");
  await expect(provision(bus)).rejects.toMatchObject({
    code: "log_format",
    message: expect.stringMatching(/an older version of Planwright .*planwright start --data DIR/),
  });
  await expect(streams.names().next()).resolves.toEqual([STREAMS.plans]);
  await streams.update(STREAMS.plans, { metadata: { planwright_log_format: "99" } });
  await expect(provision(bus)).rejects.toMatchObject({
    code: "log_format",
    message: expect.stringContaining("a newer version of Planwright (log format 99; this version reads 3)"),
  });
  await streams.purge(STREAMS.plans);
  await provision(bus);
  await bus.connection.request("plan.0.p1.control.submitted", "{}");
  await provision(bus);
});
