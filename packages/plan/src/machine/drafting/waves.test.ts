// Plans that are planned in waves.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  draftStarted,
  failed,
  kindsOf,
  planned,
  revised,
  sealed,
  step,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import { LIMITS } from "../../values/limits.ts";
import type { KnownPlan } from "../plan-state.ts";

const goal = (more: object = {}) => submitted(undefined, { strategy: "waves", ...more });
const first = [draftStarted(), planned(step("s1")), sealed()];

function wave(plan: KnownPlan, more: object = {}): KnownPlan {
  const draft = plan.drafting.number;
  const drafted = andAfter(
    plan,
    draftStarted(draft),
    planned(step(`w${draft}`, [], { args: { value: draft } }), { draft }),
  );
  return andAfter(
    drafted,
    revised(draft, { revision: plan.drafting.revision, added: [`w${draft}`], ...more }),
  );
}

describe("a plan in waves", () => {
  it("requests the next wave once the current one is over", () => {
    const plan = after(goal(), ...first);
    expect(kindsOf(plan)).not.toContain("draft");
    const over = andAfter(plan, succeeded("s1", "velocity 20"));
    expect(kindsOf(over)).toEqual(["draft"]);
    expect(over.drafting).toMatchObject({
      number: 2,
      cause: "wave",
      reason: "wave 1 is over: plan wave 2 from its results",
    });
  });

  it("ends with the wave that names the answer", () => {
    const second = wave(andAfter(after(goal(), ...first), succeeded("s1")), { answerFrom: "w2" });
    const done = andAfter(second, succeeded("w2", "shipped"));
    expect(done.conclusion).toMatchObject({ outcome: "succeeded", answer: { text: "shipped" } });
  });

  it("has a maximum number of waves, and then its results are synthesized", () => {
    let plan = andAfter(after(goal({ maxReplans: 0 }), ...first), succeeded("s1"));
    for (let waves = 2; waves <= LIMITS.wavesMax; waves++) {
      expect(kindsOf(plan)).toEqual(["draft"]);
      plan = andAfter(wave(plan), succeeded(`w${plan.drafting.number}`));
    }
    expect(kindsOf(plan)).toEqual(["join"]);
    expect(plan.revision).toBe(LIMITS.wavesMax - 1);
  });

  it("continues with the next wave when a step of the current one has failed, whatever revisions are left", () => {
    const second = wave(andAfter(after(goal({ maxReplans: 0 }), ...first), succeeded("s1")));
    const revising = andAfter(second, failed("w2"));
    expect(revising.drafting).toMatchObject({ phase: "requested", cause: "wave" });
  });

  it("has no waves when it was submitted with its steps or uses another strategy", () => {
    const given = after(
      submitted([step("a"), step("b")], { strategy: "waves" }),
      succeeded("a"),
      succeeded("b"),
    );
    expect(kindsOf(given)).toEqual(["join"]);
    expect(kindsOf(after(goal({ strategy: "parallel" }), ...first, succeeded("s1")))).toEqual(["join"]);
  });
});
