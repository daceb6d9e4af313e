import { describe, expect, it } from "vitest";
import { quoteAll } from "./describe-value.ts";
import { didYouMean, nearestName } from "./nearest-name.ts";

describe("the suggested name", () => {
  it.each([
    ["docs.serch", "docs.search"],
    ["DOCS.SEARCH", "docs.search"],
    ["sql.qurey", "sql.query"],
    ["http.fetch", "http.fetch"],
    ["htp.fetc", "http.fetch"],
  ])("for %s is %s", (name, meant) => {
    expect(nearestName(name, ["sql.query", "docs.search", "http.fetch"])).toBe(meant);
  });

  it.each(["", "a", "weather.now", "x".repeat(500)])("for %j is missing", (name) => {
    expect(nearestName(name, ["sql.query", "docs.search"])).toBeUndefined();
    expect(didYouMean(name, ["sql.query", "docs.search"])).toBe("");
  });

  it("for one letter is not another letter", () => {
    expect(nearestName("a", ["b"])).toBeUndefined();
    expect(nearestName("s1", ["s2"])).toBe("s2");
  });

  it("is the nearest, or the first of equally near ones", () => {
    expect(nearestName("stepp1", ["step12", "step1", "stepp2"])).toBe("step1");
    expect(nearestName("step1", ["step2", "step3"])).toBe("step2");
  });

  it("is searched among the first few hundred names only", () => {
    const names = Array.from({ length: 500 }, (_, index) => `other-${index}`);
    expect(nearestName("docs.serch", [...names, "docs.search"])).toBeUndefined();
    expect(didYouMean("docs.serch", [...names.slice(1), "docs.search"])).toBe(
      '; did you mean "docs.search"?',
    );
  });
});

describe("a list of names in a message", () => {
  it("is cut after ten names, and the others are counted", () => {
    const names = Array.from({ length: 13 }, (_, index) => `n${index}`);
    expect(quoteAll(names)).toMatch(/"n9" and 3 more$/);
    expect(quoteAll(names.slice(0, 2))).toBe('"n0", "n1"');
  });
});
