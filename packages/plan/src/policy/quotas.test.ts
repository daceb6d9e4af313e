import { describe, expect, it } from "vitest";
import { PolicyFile, policyOf, quotasOf } from "./policy-file.ts";
import { quotaStates, quotaText, type QuotaUse, reachedQuota } from "./quotas.ts";

const NOW = new Date("2026-01-31T10:00:30.500Z");
const NOTHING = { tokens: 0, usd: 0 };
const use = (more: Partial<QuotaUse> = {}): QuotaUse => ({
  openPlans: 0,
  submissions: 0,
  day: NOTHING,
  month: NOTHING,
  ...more,
});

describe("quotas", () => {
  it("are listed if set, each with its usage and the time of its reset", () => {
    const quotas = {
      usdPerMonth: 100,
      usdPerDay: 10,
      tokensPerMonth: 5_000,
      tokensPerDay: 500,
      submissionsPerMinute: 5,
      openPlans: 2,
    };
    const now = use({
      openPlans: 1,
      submissions: 4,
      day: { tokens: 7, usd: 0.5 },
      month: { tokens: 9, usd: 1 },
    });
    expect(quotaStates(quotas, now, NOW)).toEqual([
      { name: "openPlans", limit: 2, used: 1 },
      { name: "submissionsPerMinute", limit: 5, used: 4, resetsAt: new Date("2026-01-31T10:01:00Z") },
      { name: "tokensPerDay", limit: 500, used: 7, resetsAt: new Date("2026-02-01T00:00:00Z") },
      { name: "tokensPerMonth", limit: 5_000, used: 9, resetsAt: new Date("2026-02-01T00:00:00Z") },
      { name: "usdPerDay", limit: 10, used: 0.5, resetsAt: new Date("2026-02-01T00:00:00Z") },
      { name: "usdPerMonth", limit: 100, used: 1, resetsAt: new Date("2026-02-01T00:00:00Z") },
    ]);
    expect(quotaStates({}, use(), NOW)).toEqual([]);
  });

  it("name the month after the last one of a year", () => {
    const [state] = quotaStates({ usdPerMonth: 1 }, use(), new Date("2026-12-31T23:59:59Z"));
    expect(state?.resetsAt).toEqual(new Date("2027-01-01T00:00:00Z"));
  });

  it("are reached when the usage equals the limit, and the one that lasts longest is named", () => {
    const quotas = { openPlans: 1, submissionsPerMinute: 1, tokensPerDay: 10, tokensPerMonth: 10 };
    const reached = (more: Partial<QuotaUse>) => reachedQuota(quotaStates(quotas, use(more), NOW))?.name;
    expect(reached({})).toBeUndefined();
    expect(reached({ openPlans: 1 })).toBe("openPlans");
    expect(reached({ openPlans: 1, submissions: 1 })).toBe("submissionsPerMinute");
    expect(reached({ submissions: 2, day: { tokens: 10, usd: 0 } })).toBe("tokensPerDay");
    expect(reachedQuota(quotaStates({ openPlans: 0 }, use(), NOW))?.name).toBe("openPlans");
  });

  it("are described as text", () => {
    const texts = quotaStates(
      { openPlans: 3, tokensPerDay: 10_000, usdPerMonth: 5 },
      use({ day: { tokens: 12_000, usd: 0 }, month: { tokens: 0, usd: 0.5 } }),
      NOW,
    ).map(quotaText);
    expect(texts).toEqual(["0 of 3 open plans", "12,000 of 10,000 tokens a day", "$0.50 of $5.00 a month"]);
  });
});

describe("quotas of a policy file", () => {
  const file = PolicyFile.parse({
    quotas: { openPlans: 10, usdPerDay: 5 },
    quotasPerKey: { openPlans: 2 },
    tenants: { acme: { quotas: { openPlans: 100 } }, free: { quotasPerKey: {} } },
  });

  it("apply to every tenant, unless it has its own, which replace them", () => {
    expect(quotasOf(file, "other")).toEqual({
      tenant: { openPlans: 10, usdPerDay: 5 },
      key: { openPlans: 2 },
    });
    expect(quotasOf(file, "acme")).toEqual({ tenant: { openPlans: 100 }, key: { openPlans: 2 } });
    expect(quotasOf(file, "free")).toEqual({ tenant: { openPlans: 10, usdPerDay: 5 }, key: {} });
    expect(quotasOf(PolicyFile.parse({}), "acme")).toEqual({ tenant: {}, key: {} });
  });

  it("are not part of the policy that plans carry", () => {
    expect(policyOf(file, "acme")).toEqual({ rules: [] });
    expect(policyOf(file, "other")).toEqual({ rules: [] });
  });

  it.each([
    [{ openPlans: -1 }, "openPlans"],
    [{ openPlans: 1.5 }, "openPlans"],
    [{ usdPerDay: "5" }, "usdPerDay"],
    [{ plansPerDay: 5 }, "plansPerDay"],
  ])("are refused when they are malformed: %o", (quotas, named) => {
    const { error } = PolicyFile.safeParse({ quotas });
    expect(JSON.stringify(error?.issues)).toContain(named);
  });
});
