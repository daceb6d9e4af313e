import type { Quotas } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { createQuotas } from "./create-quotas.ts";
import { keyOwner, tenantOwner } from "./owner.ts";

const ANN = { tenant: "acme", identity: "acme/ann" };
const BOB = { tenant: "acme", identity: "acme/bob" };
const NOTHING = { tokens: 0, usd: 0 };

function quotasOf({ tenant = {}, key = {} }: { tenant?: Quotas; key?: Quotas }) {
  const state = { at: new Date("2026-01-31T10:00:30Z"), open: new Map<string, number>(), day: NOTHING };
  const quotas = createQuotas({
    quotasFor: (name) => (name === "acme" ? { tenant, key } : { tenant: {}, key: {} }),
    book: {
      openPlansOf: (owner) => state.open.get(owner) ?? 0,
      spentBy: () => ({ day: state.day, month: NOTHING }),
    },
    now: () => state.at,
  });
  return { quotas, state };
}

const reached = (detail: RegExp, retryAfterS: number) =>
  expect.objectContaining({
    code: "quota_reached",
    message: expect.stringMatching(detail) as string,
    details: expect.objectContaining({ retryAfterS }) as object,
  });

describe("a quota of open plans", () => {
  it("counts both the plans in the log and those about to be stored", () => {
    const { quotas, state } = quotasOf({ key: { openPlans: 2 } });
    const places = [quotas.enter(ANN), quotas.enter(ANN)];
    expect(() => quotas.enter(ANN)).toThrow(
      reached(/^the quota of the key acme\/ann is reached: 2 of 2 open plans/, 5),
    );
    quotas.enter(BOB);
    for (const place of places) place[Symbol.dispose]();
    state.open.set(keyOwner("acme/ann"), 1);
    quotas.enter(ANN)[Symbol.dispose]();
    state.open.set(keyOwner("acme/ann"), 2);
    expect(() => quotas.enter(ANN)).toThrow(/2 of 2 open plans/);
  });

  it("of a tenant is shared by its keys, but not with other tenants", () => {
    const { quotas, state } = quotasOf({ tenant: { openPlans: 1 } });
    state.open.set(tenantOwner("acme"), 1);
    expect(() => quotas.enter(ANN)).toThrow(reached(/the tenant acme/, 5));
    expect(() => quotas.enter(BOB)).toThrow(reached(/the tenant acme/, 5));
    quotas.enter({ tenant: "other", identity: "other" });
    quotas.enter({ tenant: "other", identity: undefined });
  });
});

describe("a quota of submissions per minute", () => {
  it("counts stored submissions, and starts over every minute", () => {
    const { quotas, state } = quotasOf({ tenant: { submissionsPerMinute: 2 } });
    const submit = (isStored: boolean) => {
      using place = quotas.enter(ANN);
      if (isStored) place.count();
    };
    submit(false);
    submit(true);
    submit(true);
    expect(() => submit(true)).toThrow(reached(/2 of 2 submissions a minute/, 30));
    state.at = new Date("2026-01-31T10:01:00Z");
    submit(true);
    expect(quotas.statesOf(ANN)).toMatchObject([{ of: "tenant", used: 1, limit: 2 }]);
  });
});

describe("a quota of model usage", () => {
  it("applies to previews too, unlike every other quota", () => {
    const { quotas, state } = quotasOf({ tenant: { openPlans: 0, usdPerDay: 5 } });
    quotas.refuseSpent(ANN);
    state.day = { tokens: 0, usd: 5 };
    const refusal = reached(/\$5\.00 of \$5\.00 a day; .* after 2026-02-01T00:00:00\.000Z$/, 50_370);
    expect(() => quotas.refuseSpent(ANN)).toThrow(refusal);
    expect(() => quotas.enter(ANN)).toThrow(refusal);
    const [metric] = quotas.metrics();
    expect(Array.from(metric?.values ?? [])).toContainEqual(['quota="usdPerDay"', 2]);
  });
});
