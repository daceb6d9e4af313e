import { diffText } from "@planwright/plan/compare";
import { expect, it } from "vitest";
import { wordDiff } from "./diff.ts";

it("marks what differs, word by word, and shows the whole word", () => {
  const parts = diffText("South grew to 25,786.96 in total", "South grew to 29,676.63 in total");
  expect(wordDiff(parts)).toBe("South grew to [-25,786.96-]{+29,676.63+} in total");
  expect(wordDiff(diffText("one two three", "one three"))).toBe("one [-two -]three");
  expect(wordDiff(diffText("the same", "the same"))).toBe("the same");
});

it("shortens unchanged text around the differences", () => {
  const before = "a ".repeat(50);
  const after = " b".repeat(50);
  const parts = diffText(`${before}x${after}`, `${before}y${after}`);
  expect(wordDiff(parts, 4)).toBe("…a a [-x-]{+y+} b b…");
});

it("strips control characters", () => {
  const parts = diffText("same \u001b[2J a", "same \u001b[2J b\u202e");
  expect(wordDiff(parts)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
