import { expect, it } from "vitest";
import { pooledRandomBytes } from "./trace-parent.ts";

it("returns no byte twice, even across the end of its pool", () => {
  const seen = new Set<string>();
  for (let count = 0; count < 5_000; count++) seen.add(Buffer.from(pooledRandomBytes(13)).toString("hex"));
  expect(seen.size).toBe(5_000);
});

it("does not change bytes that it has returned", () => {
  const first = pooledRandomBytes(16);
  const before = [...first];
  for (let count = 0; count < 2_000; count++) pooledRandomBytes(16);
  expect([...first]).toEqual(before);
});

it("returns the requested size, and rejects sizes larger than its pool", () => {
  expect([0, 1, 8_192].map((size) => pooledRandomBytes(size).length)).toEqual([0, 1, 8_192]);
  expect(() => pooledRandomBytes(8_193)).toThrow(RangeError);
});
