// Attempts whose workers never report: they expire by the server's clock.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  AT,
  cancelRequested,
  deadlineFired,
  decideNext,
  faltered,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { evolve } from "./evolve.ts";
import { DEADLINE_MARGIN_MS } from "./deadlines.ts";
import type { KnownPlan } from "./plan-state.ts";

const inMs = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();
const timers = (plan: KnownPlan) =>
  decideNext(plan).flatMap((command) => (command.kind === "schedule" ? [[command.timer, command.at]] : []));
const deadlinesOf = (plan: KnownPlan) =>
  decideNext(plan).flatMap((command) =>
    command.kind === "schedule" && command.event.type === "timer.fired" && command.event.data.deadline
      ? [command.event.data.deadline]
      : [],
  );
const idempotent = (id: string, more: object = {}) => step(id, [], { tool: "files.write", ...more });

describe("the deadline of an attempt", () => {
  it("is not set while the attempt waits in the queue, however long", () => {
    expect(decide(after(submitted([idempotent("a")]))).map(({ kind }) => kind)).toEqual(["run"]);
  });

  it("is set when the attempt starts: its time-out, plus time for another worker to report", () => {
    const plan = after(submitted([idempotent("a", { timeoutMs: 5_000 })]), started("a"));
    expect(timers(plan)).toEqual([["deadline-1", inMs(5_000 + DEADLINE_MARGIN_MS)]]);
    expect(decide(plan).map(({ kind }) => kind)).toEqual(["run", "schedule"]);
  });

  it("needs no separate timer while an earlier one is pending", () => {
    const steps = [idempotent("a", { timeoutMs: 5_000 }), idempotent("b", { timeoutMs: 6_000 })];
    const plan = after(submitted([...steps, idempotent("c", { timeoutMs: 1_000 })]), started("a"));
    expect(timers(andAfter(plan, started("b")))).toEqual([]);
    expect(timers(andAfter(plan, started("b"), started("c")))).toEqual([
      ["deadline-2", inMs(1_000 + DEADLINE_MARGIN_MS)],
    ]);
  });

  it("ends the attempt as failed, and it is tried again", () => {
    const plan = after(submitted([idempotent("a")]), started("a"), deadlineFired());
    expect(stepOf(plan, "a")).toMatchObject({
      state: { status: "waiting", for: "retry", attempt: 2 },
      failedAttempts: [{ attempt: 1, error: { code: "deadline_exceeded" } }],
    });
    expect(decideNext(plan).map(({ kind }) => kind)).toEqual(["stop", "schedule"]);
    expect(evolve(plan, succeeded("a"))).toMatchObject({ seq: plan.seq });
  });

  it("requests a decision for an attempt that runs at most once", () => {
    const plan = after(submitted([step("a", [], { tool: "mail.send" })]), started("a"), deadlineFired());
    expect(stepOf(plan, "a").state).toMatchObject({
      status: "awaiting-approval",
      about: { kind: "outcome-unknown" },
    });
  });

  it("does nothing for attempts that have ended, and still covers the others", () => {
    const steps = [idempotent("a", { timeoutMs: 1_000 }), idempotent("b", { timeoutMs: 9_000 })];
    const plan = after(submitted(steps), started("a"), started("b"), succeeded("a"), deadlineFired());
    expect(stepOf(plan, "b").state.status).toBe("running");
    expect(timers(plan)).toEqual([["deadline-2", inMs(9_000 + DEADLINE_MARGIN_MS)]]);
  });

  it("moves when another worker starts the attempt again", () => {
    const first = after(submitted([idempotent("a", { timeoutMs: 1_000 })]), started("a"));
    const later = { ...started("a", 1, { workerId: "w2", delivery: 2 }), at: inMs(20_000) };
    const plan = andAfter(first, later, deadlineFired());
    expect(stepOf(plan, "a").state.status).toBe("running");
    expect(timers(plan)).toEqual([["deadline-2", inMs(21_000 + DEADLINE_MARGIN_MS)]]);
  });

  it("expires attempts together whose deadlines are close to each other", () => {
    const at = (stepId: string, ms: number) => ({ ...started(stepId), at: inMs(ms) });
    const steps = ["a", "b", "c", "d"].map((id) => idempotent(id, { timeoutMs: 1_000 }));
    const begun = after(submitted(steps), at("a", 0), at("b", 100), at("c", 5_000), at("d", 9_000));
    const one = andAfter(begun, deadlineFired(1, [1]));
    expect(deadlinesOf(one)).toEqual([{ round: 2, starts: [2, 3] }]);
    expect(timers(one).at(-1)).toEqual(["deadline-2", inMs(6_000 + DEADLINE_MARGIN_MS)]);
    const two = andAfter(one, deadlineFired(2, [2, 3]));
    expect(["a", "b", "c", "d"].map((id) => stepOf(two, id).state.status)).toEqual([
      "waiting",
      "waiting",
      "waiting",
      "running",
    ]);
  });

  it("counts once, and expires the attempts that it was set for, whatever other clocks show", () => {
    const steps = [idempotent("a", { timeoutMs: 1_000 }), idempotent("b", { timeoutMs: 1_000 })];
    const early = { ...started("b"), at: inMs(-60_000) };
    const plan = after(submitted(steps), started("a"), early, deadlineFired(1, [1]));
    expect([stepOf(plan, "a").state.status, stepOf(plan, "b").state.status]).toEqual(["waiting", "running"]);
    for (const late of [deadlineFired(1, [1]), deadlineFired(1, [2]), deadlineFired(3, [2])]) {
      expect(evolve(plan, late)).toBe(plan);
    }
  });

  it("is set again for an attempt that starts after an idle period", () => {
    const steps = [idempotent("a", { retry: { maxAttempts: 2 } }), idempotent("b", { dependsOn: ["a"] })];
    const idle = after(submitted(steps), started("a"), faltered("a"));
    expect(idle).not.toHaveProperty("watch");
    expect(evolve(idle, deadlineFired())).toBe(idle);
    const again = andAfter(idle, timerFired("retry-a-0-2"), started("a", 2));
    expect(deadlinesOf(again)).toEqual([{ round: 1, starts: [2] }]);
  });

  it("is forgotten when the plan is cancelled; its late timer changes nothing", () => {
    const plan = after(submitted([idempotent("a")]), started("a"), cancelRequested());
    expect(plan).not.toHaveProperty("watch");
    expect(evolve(plan, deadlineFired())).toBe(plan);
  });
});
