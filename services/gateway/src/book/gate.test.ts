import { expect, it } from "vitest";
import { createGate } from "./gate.ts";

const gateOf = (atOnce: number, waitingMax = 10) =>
  createGate({ atOnce, waitingMax, onFull: () => new RangeError("full") });

it("admits callers up to the limit, then one for each that leaves, in order of arrival", async () => {
  const gate = gateOf(2);
  const first = await gate.enter();
  const second = await gate.enter();
  const inside: string[] = [];
  const third = gate.enter().then((turn) => (inside.push("third"), turn));
  const fourth = gate.enter().then((turn) => (inside.push("fourth"), turn));
  await Promise.resolve();
  expect(inside).toEqual([]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  second[Symbol.dispose]();
  await fourth;
  expect(inside).toEqual(["third", "fourth"]);
});

it("refuses callers when too many are waiting", async () => {
  const gate = gateOf(1, 1);
  using _turn = await gate.enter();
  const waiting = gate.enter();
  await expect(gate.enter()).rejects.toThrow("full");
  _turn[Symbol.dispose]();
  await waiting;
});

it("forgets callers that stop waiting, and passes their turn to the next one", async () => {
  const gate = gateOf(1);
  const first = await gate.enter();
  const patience = new AbortController();
  const impatient = gate.enter(patience.signal);
  const next = gate.enter();
  patience.abort(new Error("enough"));
  await expect(impatient).rejects.toThrow("enough");
  first[Symbol.dispose]();
  await next;
  await expect(gate.enter(AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
});
