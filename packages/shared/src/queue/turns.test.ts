// Which work runs concurrently: ordinary work together, suspects one at a time and at first alone.
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

const LONG_MS = 600_000;
const never = new AbortController().signal;

/** A suspect's turn that records its calls. */
function turn(ms: number, isRecorded = true) {
  const calls: string[] = [];
  const onAlone = async () => calls.push("alone") > 0 && isRecorded;
  const onCompany = async () => void calls.push("company");
  return { calls, ms, onAlone, onCompany };
}

/** Whether the promise is settled after everything that is due now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await nextTurn();
  return settled;
}

it("holds ordinary work back while a suspect runs alone", async () => {
  const turns = createTurns();
  const suspect = turn(LONG_MS);
  const leave = await turns.enterSuspect(suspect, never);
  const ordinary = turns.enter(never);
  expect(await isSettled(ordinary)).toBe(false);
  await leave();
  expect(await isSettled(ordinary)).toBe(true);
  expect(suspect.calls).toEqual(["alone"]);
});

it("starts a suspect once the work in flight has ended, one suspect after another", async () => {
  const turns = createTurns();
  const leave = await turns.enter(never);
  const first = turns.enterSuspect(turn(LONG_MS), never);
  const second = turns.enterSuspect(turn(LONG_MS), never);
  expect(await isSettled(first)).toBe(false);
  await leave();
  const leaveFirst = await first;
  expect(await isSettled(second)).toBe(false);
  await leaveFirst();
  expect(await isSettled(second)).toBe(true);
});

it("lets other work join a suspect that has survived its turn", async () => {
  const turns = createTurns();
  const suspect = turn(0);
  await turns.enterSuspect(suspect, never);
  await turns.enter(never);
  expect(suspect.calls).toEqual(["alone", "company"]);
});

it.each([
  ["the work in flight does not end in time", true, []],
  ["it could not be recorded that it is alone", false, ["alone"]],
] as const)("runs a suspect beside other work when %s", async (_what, isBusy, calls) => {
  const turns = createTurns();
  if (isBusy) await turns.enter(never);
  const suspect = turn(isBusy ? 0 : LONG_MS, isBusy);
  await turns.enterSuspect(suspect, never);
  await turns.enter(never);
  expect(suspect.calls).toEqual(calls);
});

it("stops waiting when the worker stops, and holds nothing back after that", async () => {
  const turns = createTurns();
  const stopping = new AbortController();
  await turns.enter(never);
  const suspects = [1, 2].map(() => turns.enterSuspect(turn(LONG_MS), stopping.signal));
  await nextTurn();
  const waiting = [...suspects, turns.enter(stopping.signal)];
  stopping.abort(new Error("the worker stops"));
  const ends = await Promise.allSettled(waiting);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await turns.enter(never);
});
