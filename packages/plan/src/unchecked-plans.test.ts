// Submitted plans that nobody checked, and facts that no service of ours would write.
import { describe, expect, it } from "vitest";
import { after, andAfter, faltered, started, step, stepOf, submitted, succeeded } from "../test/facts.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";

describe("a plan that nobody checked", () => {
  it("keeps the first of two steps with one id, and ends", () => {
    const plan = after(submitted([step("a"), step("b"), step("a", ["b"])]));
    expect(plan).toMatchObject({ total: 2, inFlight: 2 });
    expect(andAfter(plan, succeeded("a"), succeeded("b")).status).toBe("reflecting");
  });

  it.each(["no.such", "constructor", "__proto__", "toString"])(
    "runs the tool %s, which nobody granted, with the strictest grant",
    (tool) => {
      const plan = after(submitted([step("a", [], { tool })]));
      expect(decide(plan)).toMatchObject([
        { kind: "run", work: { tool, pool: "default", effect: "once", timeoutMs: 60_000 } },
      ]);
      expect(stepOf(andAfter(plan, faltered("a")), "a").state.status).toBe("failed");
    },
  );
});

describe("an outcome of an item", () => {
  it("is not the outcome of a step that runs once", () => {
    const plan = after(submitted([step("a")]));
    for (const event of [succeeded("a"), faltered("a"), started("a")]) {
      const ofItem = { ...event, data: { ...event.data, item: 1 } } as typeof event;
      expect(evolve(plan, ofItem)).toBe(plan);
    }
  });
});
