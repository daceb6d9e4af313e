// `npm start` on a disk of 64 MB, which other programs fill. Once there is room again, everything continues without help.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import type { PlanId } from "@planwright/plan";
import { createCarefulClient } from "@planwright/testkit";
import { expect, it } from "vitest";
import { BY_NODE, start, temporaryData } from "./support/start-command.ts";

const DISK_BYTES = 64 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024);
/** As long as the test itself may take. */
const WITHIN_MS = 170_000;

const bwrap = process.env["BWRAP_BIN"] ?? "";

it.skipIf(bwrap === "")("finishes every accepted plan after its disk was full, without help", async () => {
  await using data = await temporaryData();
  // In a separate namespace, whose processes end with it.
  const inDisk = [
    "--bind",
    "/",
    "/",
    "--dev-bind",
    "/dev",
    "/dev",
    "--unshare-pid",
    "--proc",
    "/proc",
    "--die-with-parent",
  ];
  const disk = ["--size", String(DISK_BYTES), "--tmpfs", data.dataDir];
  await using system = await start(data.dataDir, [], [bwrap, ...inDisk, ...disk, ...BY_NODE]);
  const signal = AbortSignal.timeout(WITHIN_MS);
  const client = createCarefulClient([system.client], signal);
  const plans: PlanId[] = [];
  for (let number = 0; number < 5; number++)
    plans.push(await client.submit(slowPlan(number), `before-${number}`));

  const filler = path.join(`/proc/${firstChildOf(system.pid)}/root`, data.dataDir, "filler");
  fill(filler);
  await expect.poll(() => readiness(system.url)).toMatchObject({ ready: false });
  const late = client.submit(slowPlan(9), "while-full");
  // Long enough for every part of the system to have failed to write.
  await expect.poll(() => /leases cannot be read or renewed/.test(system.printed())).toBe(true);
  // The gateway's own disk may be found full first: that NATS stores something counts for five seconds.
  await expect
    .poll(async () => (await readiness(system.url)).missing)
    .toContainEqual(expect.stringMatching(/^NATS stores nothing: its disk is full/));

  rmSync(filler);
  await expect.poll(() => readiness(system.url)).toEqual({ ready: true, missing: [] });
  plans.push(await late);
  for (const planId of plans) {
    const events = await client.follow(planId);
    expect(events.at(-1)?.event).toMatchObject({ type: "plan.ended", data: { outcome: "succeeded" } });
    const done = events.flatMap(({ event }) => (event.type === "step.succeeded" ? [event.data.stepId] : []));
    expect(done.toSorted()).toEqual(["end", "slow"]);
  }
  expect(system.printed()).toContain(
    "nats-server could not write and its disk has room again: restarting it",
  );
});

const slowPlan = (number: number) => ({
  goal: `wait ${number}`,
  plan: {
    steps: [
      { id: "slow", tool: "flow.wait", args: { ms: 3_000, value: number } },
      { id: "end", tool: "flow.echo", args: { value: "{{slow.output}}" } },
    ],
    answerFrom: "end",
  },
});

async function readiness(url: string): Promise<{ ready?: boolean; missing?: string[] }> {
  return (await fetch(new URL("readyz", url))).json() as Promise<{ ready?: boolean; missing?: string[] }>;
}

/** Until nothing more fits. */
function fill(file: string): void {
  const handle = openSync(file, "w");
  try {
    for (let size = PIECE.length; size > 0; ) {
      try {
        writeSync(handle, PIECE, 0, size);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(handle);
  }
}

/** The process in whose namespace the disk is. */
function firstChildOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0] ?? "";
}
