// A plan that is a program: a dry run, and its changes, which need approval.
import { describe, expect, it } from "vitest";
import {
  after,
  approvalDecided,
  andAfter,
  draftStarted,
  failed,
  kindsOf,
  ONCE,
  planned,
  READ,
  recorded,
  sealed,
  stepOf,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import { codePlan } from "../../code-plan/code-plan.ts";

const { steps, answerFrom } = codePlan(
  { language: "javascript", code: "STATUS = 1" },
  { goal: "buy 3", source: "store", applies: true },
);
const tried = { text: "Done.", status: "success", data: {}, changed: true, changes: [], changeset: "AA==" };
const program = (strategy = "code") =>
  after(
    submitted(undefined, { strategy, approval: { risk: "high" } }),
    draftStarted(1, strategy),
    planned(steps[0] ?? {}, { index: 0, grant: READ }),
    planned(steps[1] ?? {}, { index: 1, grant: ONCE }),
    sealed(1, { steps: 2, answerFrom }),
  );

describe("a program that does not work", () => {
  it.each([
    ["the dry run fails", (error: object) => [failed("dryrun", 1, error)]],
    [
      "its changes come too late",
      () => [
        succeeded("dryrun", tried),
        failed("apply", 1, { error: { code: "data_conflict", message: "moved" } }),
      ],
    ],
  ])("is rewritten immediately when %s", (_when, facts) => {
    const error = { error: { code: "rules_broken", message: "no row" } };
    expect(andAfter(program(), ...facts(error)).drafting).toMatchObject({ revision: 1, cause: "failure" });
    expect(andAfter(program("parallel"), ...facts(error)).drafting).toMatchObject({ revision: 0 });
  });

  it("is not rewritten when a user has rejected its changes", () => {
    const waiting = recorded(andAfter(program(), succeeded("dryrun", tried)));
    const [approval = ""] = waiting.approvals.keys();
    const rejected = andAfter(waiting, approvalDecided(approval, "reject"));
    expect(stepOf(rejected, "apply").state).toMatchObject({ error: { code: "approval_rejected" } });
    expect(rejected.drafting.revision).toBe(0);
    expect(kindsOf(rejected)).not.toContain("draft");
  });
});
