import { expect, it } from "vitest";
import { mergeClaims } from "./merge-claims.ts";

const claim = (key: string, value: string, confidence: number) => ({ key, value, confidence });

it("keeps one claim for each key: the later, unless the other is more confident", () => {
  const lists = [
    [claim("a", "1", 0.9), claim("b", "1", 0.5)],
    [[claim("A", "2", 0.4), claim("b", "2", 0.5)]],
  ];
  expect(mergeClaims(lists, 10)).toEqual([claim("a", "1", 0.9), claim("b", "2", 0.5)]);
});

it("keeps the most confident claims, and skips values that are not claims", () => {
  const lists = [claim("a", "1", 0.2), "x", null, { key: "" }, claim("b", "1", 0.8), claim("c", "1", 0.5)];
  expect(mergeClaims(lists, 2).map(({ key }) => key)).toEqual(["b", "c"]);
});
