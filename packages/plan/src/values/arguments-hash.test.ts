import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsHash } from "./arguments-hash.ts";
import type { JsonObject } from "./json.ts";
import { sha256 } from "./sha256.ts";

describe("sha256", () => {
  it("matches every other implementation, for texts of any length", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 300 });
    fc.assert(
      fc.property(text, (value) => {
        expect(sha256(value)).toBe(createHash("sha256").update(value).digest("hex"));
      }),
    );
    for (const length of [0, 55, 56, 63, 64, 65, 119, 120, 100_000]) {
      const value = "é".repeat(length);
      expect(sha256(value)).toBe(createHash("sha256").update(value).digest("hex"));
    }
  });
});

describe("the hash of arguments", () => {
  it("is the same for every order of their keys, at every depth", () => {
    const left = { to: "a", body: { text: "x", list: [{ p: 1, q: 2 }] } };
    const right = { body: { list: [{ q: 2, p: 1 }], text: "x" }, to: "a" };
    expect(argumentsHash(left)).toBe(argumentsHash(right));
  });

  it("differs for different arguments", () => {
    const all: JsonObject[] = [{}, { a: 1 }, { a: "1" }, { a: [1, 2] }, { a: [2, 1] }, { a: null }, { b: 1 }];
    expect(new Set(all.map(argumentsHash)).size).toBe(all.length);
  });
});
