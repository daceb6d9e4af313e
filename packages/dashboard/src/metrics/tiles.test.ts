import { expect, it } from "vitest";
import { figuresWith } from "../../test/support/figures-with.ts";
import { changeOf, changeText, TILE_KINDS } from "./tiles.ts";
import { TILE_NAMES } from "./metrics-words.ts";

const kind = (name: string) => {
  const found = TILE_KINDS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tile ${name}`);
  return found;
};
const times = (p50: number | null) => ({
  timeToCompletionMs: { mean: p50, p50, p90: p50, p95: p50, p99: p50 },
});

it("compares amounts in percent, and rates no change where neither more nor less is better", () => {
  const change = changeOf(kind(TILE_NAMES.plans), figuresWith({ plans: 15 }), figuresWith({ plans: 12 }));
  expect(change).toEqual({ direction: "up", text: "+25%", tone: "idle" });
  expect(changeText(change, "the hour before")).toBe("+25% vs. the hour before");
});

it("compares shares in percentage points: more success is better, less is worse", () => {
  const rate = (successRate: number) => figuresWith({ plans: 4, successRate });
  const success = kind(TILE_NAMES.successRate);
  expect(changeOf(success, rate(0.75), rate(0.5))).toEqual({ direction: "up", text: "+25 pp", tone: "ok" });
  expect(changeOf(success, rate(0.5), rate(0.525))).toEqual({
    direction: "down",
    text: "−2.5 pp",
    tone: "bad",
  });
});

it("treats shorter times as better", () => {
  const p50 = kind(TILE_NAMES.p50);
  const change = changeOf(
    p50,
    figuresWith({ plans: 1, ...times(900) }),
    figuresWith({ plans: 1, ...times(1_000) }),
  );
  expect(change).toEqual({ direction: "down", text: "−10%", tone: "ok" });
});

it("reports that nothing changed, and that there is nothing to compare with", () => {
  const plans = kind(TILE_NAMES.plans);
  const same = changeOf(plans, figuresWith({ plans: 3 }), figuresWith({ plans: 3 }));
  expect(changeText(same, "the hour before")).toBe("same as the hour before");
  const none = changeOf(plans, figuresWith({ plans: 3 }), figuresWith({ plans: 0 }));
  expect(none).toBeUndefined();
  expect(changeText(none, "the hour before")).toBe("no earlier data");
  const p50 = kind(TILE_NAMES.p50);
  expect(changeOf(p50, figuresWith({ plans: 1, ...times(null) }), figuresWith({ plans: 1 }))).toBeUndefined();
});
