import { expect, it } from "vitest";
import { mean } from "../../measure/statistics.ts";
import { searchMs, tokenTimesMs } from "./latency.ts";

it("times the first token after the input is read, and the others at the model's rate", () => {
  const small = tokenTimesMs("gpt-3.5", { inputTokens: 2_000, outputTokens: 140 });
  expect(small(0)).toBe(350 + 2 * 450);
  expect(small(70)).toBe(small(0) + 1_000);
  expect(small(140)).toBe(small(999));
  const large = tokenTimesMs("gpt-4", { inputTokens: 500, outputTokens: 25 });
  expect(large(25)).toBe(750 + 60 + 1_000);
});

it("times searches log-normally, and always the same for one entity", () => {
  const times = Array.from({ length: 20_000 }, (_, index) => searchMs(`entity ${index}`));
  expect(mean(times)).toBeCloseTo(610, -1);
  const logs = times.map(Math.log);
  const middle = mean(logs);
  const spread = Math.sqrt(mean(logs.map((log) => (log - middle) ** 2)));
  expect(spread).toBeCloseTo(0.42, 1);
  expect(searchMs("K2")).toBe(searchMs("K2"));
  expect(searchMs("K2")).not.toBe(searchMs("K3"));
});
