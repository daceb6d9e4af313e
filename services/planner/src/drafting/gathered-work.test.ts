import { expect, it } from "vitest";
import { createGatheredWork } from "./gathered-work.ts";

function gather(fails?: string) {
  const seen: string[] = [];
  const fault = new Error("no");
  const gate = Promise.withResolvers<void>();
  const work = createGatheredWork<string>(async (items) => {
    seen.push(`${items.join()} begins`);
    await gate.promise;
    if (items.some((item) => item === fails)) throw fault;
    seen.push(`${items.join()} ends`);
  });
  return { seen, work, fault, open: gate.resolve };
}

it("processes items of one turn together, and those added meanwhile after them", async () => {
  const { seen, work, open } = gather();
  work.add("a");
  work.add("b");
  await expect.poll(() => seen).toEqual(["a,b begins"]);
  work.add("c");
  work.add("d");
  open();
  await work.done();
  expect(seen).toEqual(["a,b begins", "a,b ends", "c,d begins", "c,d ends"]);
});

it("returns the items that have not been started, in order after all others", async () => {
  const { seen, work, open } = gather();
  work.add("a");
  await expect.poll(() => seen).toEqual(["a begins"]);
  work.add("b");
  work.add("c");
  open();
  expect(await work.rest()).toEqual(["b", "c"]);
  expect(seen).toEqual(["a begins", "a ends"]);
});

it("returns items added in the same turn as the end, or none", async () => {
  const { seen, work } = gather();
  work.add("a");
  expect(await work.rest()).toEqual(["a"]);
  expect(seen).toEqual([]);
  expect(await gather().work.rest()).toEqual([]);
});

it("drops items added after a failure, and reports the failure", async () => {
  const { seen, work, fault, open } = gather("b");
  work.add("a");
  work.add("b");
  open();
  await expect.poll(() => work.failed.reason).toBe(fault);
  work.add("c");
  await expect(work.done()).rejects.toBe(fault);
  await expect(work.rest()).rejects.toBe(fault);
  expect(seen).toEqual(["a,b begins"]);
});
