import { expect, it } from "vitest";
import { jsonText, linePart, oneLine, onlyStyled } from "./plain-text.ts";

const HOSTILE = "a\u001b]0;owned\u0007b\u009b2Jc\u202ed\r\n\u2028e";

it("removes everything from a line that could control a terminal", () => {
  expect(oneLine(HOSTILE)).toBe("a ]0;owned b 2Jc d e");
});

it("keeps the spaces around a part of a line", () => {
  expect(linePart(" a\u001b[2J ")).toBe(" a [2J ");
});

it("keeps styles and line breaks, and no other control characters", () => {
  const styled = `\u001b[1;31mred\u001b[39m\nmore\u001b[2J${HOSTILE}`;
  expect(onlyStyled(styled)).toBe("\u001b[1;31mred\u001b[39m\nmore [2Ja ]0;owned b 2Jc d \n e");
});

it("writes equivalent JSON that cannot control a terminal", () => {
  for (const value of [HOSTILE, { [HOSTILE]: [HOSTILE, "\u{e0001}"] }]) {
    for (const text of [jsonText(value), jsonText(value, 2)]) {
      expect(JSON.parse(text)).toEqual(value);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    }
  }
});
