import { expect, it } from "vitest";
import { shareReads } from "./watch-work.ts";

/** Reads that end when the test decides; each returns its number. */
function openReads() {
  const readings: { readonly key: string; readonly end: PromiseWithResolvers<void> }[] = [];
  const ask = shareReads(async (key: string) => {
    const reading = { key, end: Promise.withResolvers<void>() };
    const number = readings.push(reading);
    await reading.end.promise;
    return number;
  });
  const turn = () => new Promise(setImmediate);
  return { readings, ask, turn };
}

it("reads once for all simultaneous callers, and once more for all that call during the read", async () => {
  const t = openReads();
  const first = [t.ask("p"), t.ask("p"), t.ask("p")];
  await t.turn();
  const second = [t.ask("p"), t.ask("p")];
  await t.turn();
  expect(t.readings).toHaveLength(1);
  t.readings[0]?.end.resolve();
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  await t.turn();
  const third = t.ask("p");
  await t.turn();
  expect(t.readings).toHaveLength(2);
  t.readings[1]?.end.resolve();
  expect(await Promise.all(second)).toEqual([2, 2]);
  await t.turn();
  t.readings[2]?.end.resolve();
  expect(await third).toBe(3);
});

it("reads different keys concurrently", async () => {
  const t = openReads();
  const asked = [t.ask("p"), t.ask("q")];
  await t.turn();
  expect(t.readings.map(({ key }) => key)).toEqual(["p", "q"]);
  for (const { end } of t.readings) end.resolve();
  expect(await Promise.all(asked)).toEqual([1, 2]);
});

it("reports a failed read to all callers, and reads again for the next", async () => {
  const t = openReads();
  const asked = [t.ask("p"), t.ask("p")].map((one) => expect(one).rejects.toThrow("lost"));
  await t.turn();
  const later = t.ask("p");
  t.readings[0]?.end.reject(new Error("lost"));
  await Promise.all(asked);
  await t.turn();
  t.readings[1]?.end.resolve();
  expect(await later).toBe(2);
});
