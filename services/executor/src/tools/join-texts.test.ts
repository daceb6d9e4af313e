import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinTexts, splitAtLastWord } from "./join-texts.ts";

/** The continuation of a model that follows its instruction. */
const restOf = (whole: string, text: string): string => whole.slice(splitAtLastWord(text).kept.length);

describe("a truncated text and its continuation", () => {
  const texts = fc
    .array(
      fc.oneof(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
        fc.constantFrom("\n\n", "- ", "42"),
      ),
      {
        minLength: 2,
        maxLength: 30,
      },
    )
    .map((parts) => parts.join(" ").trim())
    .filter((text) => text.length > 1);

  it("join to the whole text wherever it was cut, unless the text repeats itself there", () => {
    fc.assert(
      fc.property(texts, fc.nat(), (whole, at) => {
        const text = whole.slice(0, 1 + (at % (whole.length - 1)));
        const rest = restOf(whole, text);
        const { kept } = splitAtLastWord(text);
        fc.pre(!repeats(kept, rest));
        expect(joinTexts(text, rest)).toBe(whole);
      }),
    );
  });

  it.each([
    [
      "the last words again",
      "The quick brown fox jum",
      "quick brown fox jumps over.",
      "The quick brown fox jumps over.",
    ],
    ["no space where one belongs", "It is 4", "42 in all.", "It is 42 in all."],
    ["a new line in place of the space", "One.\n\nTw", "\n\nTwo.", "One.\n\nTwo."],
    [
      "the whole text from its start",
      "In the first quarter of 2026 the North region sold the mo",
      "In the first quarter of 2026 the North region sold the most.",
      "In the first quarter of 2026 the North region sold the most.",
    ],
    ["nothing", "It is 4", " ", "It is"],
    [
      "more of a text without spaces",
      "価格は四十二".repeat(14),
      "円です",
      `${"価格は四十二".repeat(14)}円です`,
    ],
  ])("are joined when the model writes %s", (_what, text, continuation, joined) => {
    expect(joinTexts(text, continuation)).toBe(joined);
  });

  it("keep identical rows of a table", () => {
    expect(joinTexts("| a | b |\n| --- | --- |", "| --- | --- |\n| 1 | 2 |")).toContain("| 1 | 2 |");
  });
});

/** Whether the rest begins with the end or the start of the text. */
function repeats(kept: string, rest: string): boolean {
  const more = rest.trimStart();
  for (let length = 12; length <= Math.min(kept.length, more.length); length++) {
    if (kept.endsWith(more.slice(0, length))) return true;
  }
  return more.startsWith(kept.trimStart().slice(0, 40)) && kept.length >= 40;
}
