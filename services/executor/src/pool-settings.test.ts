import { expect, it } from "vitest";
import { readPools } from "./pool-settings.ts";

it("gives each pool its own concurrency, or the one for all", () =>
  expect(readPools(["default", "gpu=2"], 64)).toEqual([
    { pool: "default", concurrency: 64 },
    { pool: "gpu", concurrency: 2 },
  ]));

it.each(["gpu=0", "gpu=1001", "gpu=two", "gpu=", "=2", "g.pu"])("refuses %s", (entry) =>
  expect(() => readPools([entry], 64)).toThrow(`wanted pools such as default or gpu=2, got "${entry}"`),
);

it("refuses a pool that is named twice", () =>
  expect(() => readPools(["gpu", "gpu=2"], 64)).toThrow("wanted each pool once, got gpu,gpu=2"));
