import { describe, expect, it } from "vitest";
import { callerOf, type ClaimRules } from "./caller-of.ts";

const RULES: ClaimRules = {
  tenant: undefined,
  tenantClaim: "planwright_tenant",
  roleClaim: "planwright_role",
  identityClaim: "sub",
};
const CLAIMS = { sub: "auth0|ann", planwright_tenant: "acme", planwright_role: "viewer" };
/** Why the claims are refused. */
function refusal(claims: object, rules: Partial<ClaimRules> = {}): string {
  try {
    callerOf({ ...CLAIMS, ...claims }, { ...RULES, ...rules });
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return "not refused";
}

describe("claims", () => {
  it("name the tenant, the identity, the role, and a name for display", () => {
    expect(callerOf(CLAIMS, RULES)).toEqual({ tenant: "acme", identity: "acme/auth0|ann", role: "viewer" });
    const named = { ...CLAIMS, name: " Ann ", preferred_username: "ann" };
    expect(callerOf(named, RULES)).toMatchObject({ name: "Ann" });
    expect(callerOf({ ...CLAIMS, name: "", email: "a@b.c" }, RULES)).toMatchObject({ name: "a@b.c" });
  });

  it.each(["app.tenant", "https://example.com/tenant"])(
    "are found by their name or path: %s",
    (tenantClaim) => {
      const claims = { ...CLAIMS, app: { tenant: "solo" }, "https://example.com/tenant": "solo" };
      expect(callerOf(claims, { ...RULES, tenantClaim })).toMatchObject({ tenant: "solo" });
    },
  );

  it.each(["constructor", "__proto__", "planwright_tenant.length", "sub.x"])(
    "accept only the token's own properties, not %s of an object",
    (tenantClaim) => expect(refusal({}, { tenantClaim })).toMatch(/is missing/),
  );

  it.each([1, null, {}, [], ["acme"], "", "a b", "a/b", "a.b", "x".repeat(65)])(
    "do not name a tenant by %j",
    (planwright_tenant) => expect(refusal({ planwright_tenant })).toMatch(/does not name a tenant/),
  );

  it.each([1, "", "a b", "a/b", "a\nb", "x".repeat(129)])("do not identify a user by %j", (sub) =>
    expect(refusal({ sub })).toMatch(/cannot identify a user/),
  );

  it("identify users by an address only if the provider does not deny that it is theirs", () => {
    const rules = { ...RULES, identityClaim: "email" };
    const claims = { ...CLAIMS, email: "ann@example.com" };
    expect(callerOf(claims, rules)).toMatchObject({ identity: "acme/ann@example.com" });
    expect(refusal({ email: "ann@example.com", email_verified: false }, rules)).toMatch(/not verified/);
  });
});

describe("the role", () => {
  const roleOf = (planwright_role: unknown, rules: Partial<ClaimRules> = {}) =>
    callerOf({ ...CLAIMS, planwright_role }, { ...RULES, ...rules }).role;
  const roles = new Map([
    ["leads", "approver"],
    ["staff", "viewer"],
    ["ops", "operator"],
  ] as const);

  it("is the one that includes all others", () => {
    expect(roleOf(["viewer", "approver"])).toBe("approver");
    expect(roleOf(["approver", "submitter", "operator"])).toBe("operator");
    expect(roleOf(["staff", "unknown", "leads"], { roles })).toBe("approver");
  });

  it("is refused when roles do not include each other, are unknown, or are not in the settings", () => {
    expect(refusal({ planwright_role: ["submitter", "approver"] })).toMatch(/roles submitter and approver/);
    expect(refusal({ planwright_role: ["Admin", 1, null] })).toMatch(/none of the values viewer/);
    expect(refusal({ planwright_role: [] })).toMatch(/none of the values/);
    expect(refusal({ planwright_role: "admin" }, { roles })).toMatch(/none of the values leads, staff, ops/);
  });
});
