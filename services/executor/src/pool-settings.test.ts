import { expect, it } from "vitest";
import { readPools } from "./pool-settings.ts";

it("gives each pool its own concurrency or the default", () =>
  expect(readPools(["default", "gpu=2"], { concurrency: 64 })).toEqual([
    { pool: "default", concurrency: 64 },
    { pool: "gpu", concurrency: 2 },
  ]));

it.each(["gpu=0", "gpu=1001", "gpu=two", "gpu=", "=2", "g.pu"])("refuses %s", (entry) =>
  expect(() => readPools([entry], { concurrency: 64 })).toThrow(
    `wanted pools such as default or gpu=2, got "${entry}"`,
  ),
);

it("refuses a pool that is named twice", () =>
  expect(() => readPools(["gpu", "gpu=2"], { concurrency: 64 })).toThrow(
    "wanted each pool once, got gpu,gpu=2",
  ));

it("serves the pools of the agent types if none are configured, each with the concurrency of its types", () => {
  const types = {
    researcher: { concurrency: 4 },
    writer: { pool: "writing" },
    editor: { pool: "writing", concurrency: 2 },
  };
  expect(readPools(undefined, { concurrency: 64, types })).toEqual([
    { pool: "default", concurrency: 64 },
    { pool: "researcher", concurrency: 4 },
    { pool: "writing", concurrency: 2 },
  ]);
  expect(readPools(["researcher", "writing=9"], { concurrency: 64, types })).toEqual([
    { pool: "researcher", concurrency: 4 },
    { pool: "writing", concurrency: 9 },
  ]);
});
