// Detects runs in a unit that take longer than a light tool can.
import { expect, it } from "vitest";
import { SlowSteps } from "./slow-steps.ts";

const ENOUGH_LOOKS = 6;
const LONG_MS = 3_600_000;

function watched({ mostMs = LONG_MS } = {}): { slow: SlowSteps; found: string[] } {
  const found: string[] = [];
  return { slow: new SlowSteps({ mostMs, onSlow: (tool) => found.push(tool) }), found };
}

function lookOften(slow: SlowSteps, times: number): void {
  for (let look = 0; look < times; look += 1) slow.look();
}

it("reports a tool that is still waiting after the maximum number of looks, once per run", async () => {
  const { slow, found } = watched();
  using _slow = slow;
  const end = Promise.withResolvers<string>();
  const run = slow.run("own.waits", () => end.promise);
  lookOften(slow, ENOUGH_LOOKS - 1);
  expect(found).toEqual([]);
  lookOften(slow, 2);
  expect(found).toEqual(["own.waits"]);
  end.resolve("done");
  expect(await run).toBe("done");
});

it("does not count runs that have ended, however they ended", async () => {
  const { slow, found } = watched();
  using _slow = slow;
  await slow.run("own.ends", async () => "done");
  await expect(slow.run("own.fails", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  lookOften(slow, ENOUGH_LOOKS);
  expect(found).toEqual([]);
});

it("reports a tool that computes too long before it first waits, but not the one beside it", async () => {
  const { slow, found } = watched({ mostMs: 8 });
  using _slow = slow;
  const compute = async (): Promise<void> => {
    const before = process.threadCpuUsage();
    while (process.threadCpuUsage(before).user < 40_000);
  };
  const beside = slow.run("own.waits", () => Promise.resolve());
  await Promise.all([slow.run("own.computes", compute), beside]);
  expect(found).toEqual(["own.computes"]);
});
