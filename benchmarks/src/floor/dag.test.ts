import { expect, it } from "vitest";
import { chain, fanIn, waits } from "../workloads/shapes.ts";
import { type DagStep, runDag } from "./dag.ts";

it.each([
  ["chain", chain(20), 20],
  ["fan-in", fanIn(100), 101],
  ["waits", waits(), 5],
])("runs every step of the %s once, after its predecessors", async (_, { dag, steps }, count) => {
  const done = new Set<string>();
  await runDag(dag, async ({ id, after }: DagStep) => {
    expect(after.filter((other) => !done.has(other))).toEqual([]);
    await Promise.resolve();
    expect(done.has(id)).toBe(false);
    done.add(id);
  });
  expect(done.size).toBe(count);
  expect(steps).toBe(count);
});

it("starts independent steps simultaneously", async () => {
  let running = 0;
  let most = 0;
  await runDag(fanIn(10).dag, async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running -= 1;
  });
  expect(most).toBe(10);
});

it("refuses a step that comes after an unknown one", async () => {
  await expect(runDag([{ id: "a", after: ["b"] }], async () => undefined)).rejects.toThrow("a comes after b");
});
