import { expect, it } from "vitest";
import { createOrderedWork } from "./write-draft.ts";

it("works on one item at a time, in order", async () => {
  const seen: string[] = [];
  const work = createOrderedWork<string>(async (item) => {
    seen.push(`${item} begins`);
    await Promise.resolve();
    seen.push(`${item} ends`);
  });
  work.add("a");
  work.add("b");
  await work.done();
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

it("leaves out results after a failure, and reports what failed", async () => {
  const seen: string[] = [];
  const fault = new Error("no");
  const work = createOrderedWork<string>((item) => {
    seen.push(item);
    return item === "b" ? Promise.reject(fault) : Promise.resolve();
  });
  for (const item of ["a", "b", "c"]) work.add(item);
  await expect(work.done()).rejects.toBe(fault);
  expect(seen).toEqual(["a", "b"]);
  expect(work.failed.reason).toBe(fault);
});
