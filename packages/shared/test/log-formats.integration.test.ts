// A log and an archive in each format that can be read: a plan that waits for three approvals, and an archived one.
// The fixtures were written by the versions that introduced the formats. A format that is frozen gets no new fixture.
import { readFile } from "node:fs/promises";
import { headers as createHeaders } from "@nats-io/transport-node";
import { evolve, noPlan, type Plan, PlanId } from "@planwright/plan";
import { createArchiveStore, eventsIn, readTombstone } from "@planwright/shared/archive";
import { type Bus, connectBus, provision, readPlan, STREAMS } from "@planwright/shared/bus";
import { startNats } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";

const Line = z.object({
  stream: z.string(),
  subject: z.string(),
  headers: z.record(z.string(), z.string()),
  text: z.string().default(""),
  base64: z.string().optional(),
});
type Line = z.infer<typeof Line>;

async function linesOf(format: string): Promise<Line[]> {
  const file = new URL(`fixtures/log-format-${format}.jsonl`, import.meta.url);
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return lines.map((line) => Line.parse(JSON.parse(line)));
}

async function load({ connection }: Bus, lines: readonly Line[]): Promise<void> {
  for (const { subject, headers, text, base64 } of lines) {
    const stored = createHeaders();
    for (const [name, value] of Object.entries(headers)) stored.set(name, value);
    const body = base64 === undefined ? text : Buffer.from(base64, "base64");
    await connection.request(subject, body, { headers: stored, timeout: 10_000 });
  }
}

it.each(["3"])("reads a log and an archive of format %s", async (format) => {
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  const lines = await linesOf(format);
  const metadata = { planwright_log_format: format };
  await bus.manager.streams.add({ name: STREAMS.plans, subjects: ["plan.>"], metadata });
  await load(
    bus,
    lines.filter(({ stream }) => stream === STREAMS.plans),
  );
  await provision(bus);
  await load(
    bus,
    lines.filter(({ stream }) => stream === STREAMS.archive),
  );
  const { config } = await bus.manager.streams.info(STREAMS.plans);
  expect(config.metadata).toMatchObject({ planwright_log_format: "3" });

  const open = PlanId.parse("open");
  expect(await readPlan(bus, open)).toMatchObject({ status: "awaiting-approval", seq: 4, awaiting: 3 });
  const kept = PlanId.parse("kept");
  expect(await readTombstone(bus, kept)).toMatchObject({ type: "plan.archived" });
  const archives = createArchiveStore(bus);
  await archives.check(kept);
  const archived = (await Array.fromAsync(archives.read(kept))).flatMap(eventsIn);
  expect(archived.map(({ type }) => type)).toEqual([
    "goal.submitted",
    ...Array<string>(3).fill("step.succeeded"),
    "answer.given",
    "plan.ended",
  ]);
  expect(archived.reduce<Plan>(evolve, noPlan)).toMatchObject({ status: "succeeded", seq: 6 });
});
