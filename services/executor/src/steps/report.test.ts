import { PlanId, StepId } from "@planwright/plan";
import { ConflictError, type Publish } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { describe, expect, it } from "vitest";
import { type Outcome, reportInterrupted, reportOutcome } from "./report.ts";

const attempt = {
  planId: PlanId.parse("p1"),
  stepId: StepId.parse("a"),
  item: 0,
  attempt: 1,
  pool: "default",
};
const outcome: Outcome = { kind: "succeeded", output: { value: 1 }, artifacts: [] };
const startedAt = new Date("2026-01-01T00:00:00Z");
const deps = (publish: Publish) => ({ publish, workerId: "w1", now: () => startedAt });
const refusing = (error: Error) => deps(() => Promise.reject(error));

describe("the outcome of an attempt", () => {
  it("is published once, on the attempt's own subject, and only if there is none (STEP-1)", async () => {
    const sent: unknown[] = [];
    const publish: Publish = (subject, _body, { id, expect: expected }) => {
      sent.push({ subject, id, expected });
      return Promise.resolve({ sequence: 1, duplicate: false });
    };
    expect(await reportOutcome(deps(publish), attempt, { outcome, startedAt })).toBe(true);
    expect(sent).toEqual([
      {
        subject: expect.stringMatching(/^plan\.\d+\.p1\.w\.default\.a\.0\.1\.done$/),
        id: expect.stringMatching(/\/done$/),
        expected: { sequence: 0 },
      },
    ]);
  });

  it("is not counted as stored while the log does not take it: the work is delivered again", async () => {
    const lost = new TransientError("cannot publish");
    await expect(reportOutcome(refusing(lost), attempt, { outcome, startedAt })).rejects.toBe(lost);
    await expect(reportInterrupted(refusing(lost), attempt, "unknown")).rejects.toBe(lost);
  });

  it("is discarded when another worker's outcome is already stored (STEP-1)", async () => {
    const conflict = new ConflictError("another writer was first");
    expect(await reportOutcome(refusing(conflict), attempt, { outcome, startedAt })).toBe(false);
    await expect(reportInterrupted(refusing(conflict), attempt, "unknown")).resolves.toBeUndefined();
  });
});
