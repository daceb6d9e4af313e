// Which claim counts when several outputs make claims about the same subject.
import fc from "fast-check";
import { Map } from "immutable";
import { describe, expect, it } from "vitest";
import { claimArbitrary } from "../../test/policy-arbitraries.ts";
import { StepId } from "../values/ids.ts";
import type { FactClaim } from "./fact.ts";
import { FACTS_MAX, type Fact, type FactLedger, withClaim, factKey } from "./fact-ledger.ts";

const origin = (index: number) => ({
  stepId: StepId.parse(`s${index}`),
  item: 0,
  at: "2026-01-01T00:00:00Z",
});

function ledgerOf(claims: readonly FactClaim[]): FactLedger {
  return claims.reduce<FactLedger>(
    (ledger, claim, index) => withClaim(ledger, claim, origin(index)) ?? ledger,
    Map(),
  );
}

const claim = (value: string, confidence: number, key = "price"): FactClaim => ({ key, value, confidence });

function only(claims: readonly FactClaim[]): Fact {
  const [fact, another] = ledgerOf(claims).valueSeq();
  if (fact === undefined || another !== undefined) throw new Error("wanted one fact");
  return fact;
}

describe("among claims about the same subject", () => {
  it("the newer of two counts, and the older one stays visible (FACT-1, FACT-2)", () => {
    const fact = only([claim("49", 0.8), claim("59", 0.8, " Price ")]);
    expect(fact).toMatchObject({ key: "price", current: { value: "59", stepId: "s1" } });
    expect(fact.conflicts).toMatchObject([{ value: "49", stepId: "s0", confidence: 0.8 }]);
  });

  it("an older one counts that is more confident (FACT-1)", () => {
    const fact = only([claim("49", 0.9), claim("59", 0.5)]);
    expect([fact.current.value, fact.conflicts[0]?.value]).toEqual(["49", "59"]);
  });

  it("the contradicted claim becomes current again when a later claim is more confident", () => {
    const fact = only([claim("49", 0.6), claim("59", 0.7), claim("49", 0.9)]);
    expect(fact).toMatchObject({ current: { value: "49", confidence: 0.9, stepId: "s2" } });
    expect(fact.conflicts.map(({ value }) => value)).toEqual(["59"]);
  });

  it("the same claim made twice is one fact, with the higher confidence (FACT-3)", () => {
    expect(only([claim("49", 0.9), claim("49", 0.4)])).toMatchObject({
      claims: 2,
      current: { value: "49", confidence: 0.9 },
      conflicts: [],
    });
  });
});

it("adds no keys beyond the limit, but still accepts claims about known keys", () => {
  const many = Array.from({ length: FACTS_MAX }, (_, index) => claim("x", 0.5, `k${index}`));
  const full = ledgerOf(many);
  expect(full.size).toBe(FACTS_MAX);
  expect(withClaim(full, claim("x", 1, "one more"), origin(0))).toBeUndefined();
  expect(withClaim(full, claim("y", 1, "k7"), origin(0))?.get("k7")?.current.value).toBe("y");
});

it("never loses a claim, and no current claim is less confident than a conflicting one", () => {
  fc.assert(
    fc.property(fc.array(claimArbitrary, { maxLength: 12 }), (claims) => {
      const ledger = ledgerOf(claims);
      expect(new Set(ledger.keys())).toEqual(new Set(claims.map(({ key }) => factKey(key))));
      for (const { key, current, conflicts } of ledger.values()) {
        const values = claims.filter((one) => factKey(one.key) === key).map(({ value }) => value);
        expect(new Set([current, ...conflicts].map(({ value }) => value))).toEqual(new Set(values));
        for (const other of conflicts) expect(other.confidence).toBeLessThanOrEqual(current.confidence);
      }
    }),
  );
});
