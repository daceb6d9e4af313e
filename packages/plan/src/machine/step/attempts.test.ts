// One step and its attempts.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  AT,
  decideNext,
  failed,
  faltered,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  USAGE,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";
import { stepView } from "../../view/step-view.ts";

const one = (more: object = {}) => submitted([step("a", [], more)]);
const retryAt = (plan: ReturnType<typeof after>) => plan.timers.first()?.at;

describe("an attempt", () => {
  it("is running before a worker reports it, and belongs to the first worker that does", () => {
    const plan = after(one());
    expect(stepView(plan, stepOf(plan, "a"))).not.toHaveProperty("workerId");
    expect(stepView(plan, stepOf(andAfter(plan, started("a")), "a"))).toMatchObject({
      status: "running",
      workerId: "w1",
      startedAt: AT,
    });
  });

  it("starts once: a second worker's start changes nothing", () => {
    const plan = after(one(), started("a"));
    expect(evolve(plan, started("a", 1))).toBe(plan);
  });

  it("keeps its first outcome", () => {
    const plan = after(submitted([step("a"), step("b")]), succeeded("a", 1));
    for (const event of [succeeded("a", 2), failed("a"), faltered("a"), started("a")]) {
      expect(evolve(plan, event)).toBe(plan);
    }
  });

  it("is over once the next one is scheduled: its late outcomes change nothing", () => {
    const plan = after(one(), faltered("a"));
    for (const event of [succeeded("a"), failed("a"), started("a"), succeeded("a", 1, 2)]) {
      expect(evolve(plan, event)).toBe(plan);
    }
  });

  it("adds its model usage to the plan's, whether or not it succeeds", () => {
    const usage = { ...USAGE, costUsd: null };
    const plan = after(one(), faltered("a", 1, { usage: USAGE }), timerFired("retry-a-0-2"));
    expect(plan.usage).toEqual(USAGE);
    expect(andAfter(plan, succeeded("a", 1, 2, { usage })).usage).toEqual({
      modelCalls: 2,
      inputTokens: 20,
      outputTokens: 4,
      costUsd: null,
    });
  });

  it("adds its files to the plan's", () => {
    const file = { name: "a.svg", contentType: "image/svg+xml", bytes: 3 };
    expect(viewOf(after(one(), succeeded("a", 1, 1, { artifacts: [file] })), 0).artifacts).toEqual([file]);
  });
});

describe("a failed attempt", () => {
  it("waits for its timer, and is shown in the view", () => {
    const plan = after(one(), faltered("a"));
    expect(plan.inFlight).toBe(0);
    expect(stepView(plan, stepOf(plan, "a"))).toMatchObject({
      status: "waiting",
      waitingFor: "retry",
      attempt: 2,
      failedAttempts: [{ attempt: 1, error: { message: "boom" }, at: AT, retryAt: retryAt(plan) }],
    });
  });

  it("is retried after the step's own backoff", () => {
    expect(retryAt(after(one({ retry: { backoffMs: 0 } }), faltered("a")))).toBe("2026-01-01T00:00:00.000Z");
  });

  it("is retried no earlier than the server asks", () => {
    expect(retryAt(after(one(), faltered("a", 1, { retryAfterMs: 90_000 })))).toBe(
      "2026-01-01T00:01:30.000Z",
    );
  });

  it("is retried within a day, even if the server asks for more time", () => {
    const plan = after(one(), faltered("a", 1, { retryAfterMs: Number.MAX_VALUE }));
    expect(retryAt(plan)).toBe("2026-01-02T00:00:00.000Z");
  });

  it("has its timer scheduled again by a dispatcher that takes over", () => {
    const plan = after(one(), faltered("a"));
    expect(decide(plan)).toEqual(decideNext(plan));
  });

  it.each([
    ["three times by default when it reads", "flow.echo", undefined, 3],
    ["three times by default when repeating it changes nothing", "files.write", undefined, 3],
    ["once by default when it must not happen twice", "mail.send", undefined, 1],
    ["as often as the step says", "flow.echo", 5, 5],
    ["as often as the step says, also when it must not happen twice", "mail.send", 2, 2],
  ])("is tried %s", (_name, tool, maxAttempts, attempts) => {
    let plan = after(one({ tool, ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }) }));
    for (let attempt = 1; attempt < attempts; attempt++) {
      plan = andAfter(plan, faltered("a", attempt));
      expect(stepOf(plan, "a").state.status).toBe("waiting");
      plan = andAfter(plan, timerFired(`retry-a-0-${attempt + 1}`));
    }
    expect(stepOf(andAfter(plan, faltered("a", attempts)), "a").state.status).toBe("failed");
  });

  it("is not retried when a retry cannot help", () => {
    expect(stepOf(after(one(), failed("a")), "a").state).toMatchObject({
      status: "failed",
      attempt: 1,
      error: { code: "e" },
    });
  });

  it("is not retried by a timer that fires twice or that was never scheduled", () => {
    const plan = after(one(), faltered("a"), timerFired("retry-a-0-2"));
    expect(evolve(plan, timerFired("retry-a-0-2"))).toBe(plan);
    expect(evolve(plan, timerFired("retry-a-0-3"))).toBe(plan);
  });
});
