// Small plans with their events written out. The events are parsed, so no test can contain one that could not be
// stored.
import { describe, expect, it } from "vitest";
import { after, andAfter, decideNext, fact } from "../../test/facts.ts";
import { evolve } from "./evolve.ts";
import { viewOf } from "../view/plan-view.ts";
import type { KnownPlan } from "./plan-state.ts";

const AT = "2026-01-01T00:00:00Z";
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };

const submitted = (plan?: object, more: object = {}) =>
  fact("goal.submitted", {
    goal: "add up",
    tenant: "local",
    plan,
    grants: { "flow.echo": grant },
    ...more,
  });
const run = (stepId: string, attempt = 1) => ({ stepId, item: 0, attempt, workerId: "w1" });
const ended = (stepId: string, attempt = 1) => ({ ...run(stepId, attempt), startedAt: AT, durationMs: 5 });
const succeeded = (stepId: string, value: unknown = 1, attempt = 1) =>
  fact("step.succeeded", { ...ended(stepId, attempt), output: { value } });
const failed = (stepId: string, retryable: boolean, attempt = 1) =>
  fact("step.failed", { ...ended(stepId, attempt), error: { code: "e", message: "boom" }, retryable });

const commands = (plan: KnownPlan) =>
  decideNext(plan).map((command) => {
    if (command.kind === "run") return `run ${command.work.stepId} ${JSON.stringify(command.work.args)}`;
    if (command.kind === "record") return `record ${command.event.type}`;
    if (command.kind === "schedule") return `schedule ${command.timer} ${command.at}`;
    return command.kind;
  });

const chain = {
  steps: [
    { id: "a", tool: "flow.echo", args: { value: 7 } },
    { id: "b", tool: "flow.echo", args: { value: { $ref: "a.output" } } },
  ],
};

describe("a submitted plan", () => {
  it("runs a step when its own inputs are ready, and answers from its only sink", () => {
    const first = after(submitted(chain));
    expect(commands(first)).toEqual(['run a {"value":7}']);
    const second = after(submitted(chain), succeeded("a", 7));
    expect(commands(second)).toEqual(['run b {"value":7}']);
    const third = after(submitted(chain), succeeded("a", 7), succeeded("b", "seven"));
    expect(commands(third)).toEqual(["record answer.given"]);
    expect(viewOf(third, 0)).toMatchObject({ answer: { text: "seven", status: "success", sources: ["b"] } });
  });

  it("retries a failed read when the server's timer fires", () => {
    const waiting = after(submitted(chain), failed("a", true));
    expect(commands(waiting)).toEqual([expect.stringMatching(/^schedule retry-a-0-2 2026-01-01T00:00:01/)]);
    const again = andAfter(waiting, fact("timer.fired", { timer: "retry-a-0-2" }));
    expect(decideNext(again)).toMatchObject([{ kind: "run", id: "p1/a/0/2" }]);
  });

  it("skips the dependents of a step that failed permanently, then fails without calling a model", () => {
    const plan = after(submitted(chain), failed("a", false));
    expect(commands(plan)).toEqual(["record step.skipped"]);
    const skipped = andAfter(plan, fact("step.skipped", { stepIds: ["b"], because: "a", reason: "needs a" }));
    expect(commands(skipped)).toEqual(["record answer.given"]);
    expect(skipped.conclusion).toMatchObject({
      outcome: "failed",
      reason: "step a failed: boom; step b, which was to answer, did not run",
    });
  });

  it("fails a step with an unresolvable reference before any worker gets it", () => {
    const plan = {
      steps: [chain.steps[0], { id: "b", tool: "flow.echo", args: { value: { $ref: "a.output.price" } } }],
    };
    expect(decideNext(after(submitted(plan), succeeded("a", { cost: 1 })))).toMatchObject([
      { kind: "record", event: { type: "step.failed", data: { error: { code: "unresolved_reference" } } } },
    ]);
  });
});

describe("a drafted plan", () => {
  const started = fact("draft.started", {
    draft: 1,
    strategy: "parallel",
    strategyReason: "r",
    workerId: "w",
  });
  const planned = (id: string, index: number, effect = "read") =>
    fact("step.planned", { draft: 1, index, step: { id, tool: "flow.echo" }, grant: { ...grant, effect } });
  const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 };
  const sealed = fact("plan.sealed", { draft: 1, steps: 2, usage });

  it("runs read-only steps while it is written, and the others once it is sealed", () => {
    const open = after(submitted(), started, planned("a", 0), planned("w", 1, "idempotent"));
    expect(viewOf(open, 0).steps.map(({ id, status }) => [id, status])).toEqual([
      ["a", "queued"],
      ["w", "waiting"],
    ]);
    expect(commands(andAfter(open, sealed))).toEqual(["run w {}"]);
  });

  it("drops the steps of a draft that was abandoned and requests another one", () => {
    const abandoned = fact("draft.abandoned", {
      draft: 1,
      cause: "invalid",
      message: "no such tool",
      issues: [],
      retryable: true,
      usage,
    });
    const plan = after(submitted(), started, planned("a", 0), abandoned);
    expect(commands(plan)).toEqual(["stop", "draft"]);
    expect(evolve(plan, planned("b", 1))).toBe(plan);
    expect(evolve(plan, sealed)).toBe(plan);
    expect(plan.drafting).toMatchObject({ number: 2, phase: "requested", repairs: 1 });
  });
});
