/** Maps the claims of a token to a user: tenant, identity and role. */
import { hasPermission, type Permission, Role, ROLES, rolesWith } from "@planwright/plan";
import { Problem } from "../http/problem.ts";

export type ClaimRules = {
  /** The tenant of every user; when undefined, {@link tenantClaim} names it. */
  readonly tenant: string | undefined;
  readonly tenantClaim: string;
  readonly roleClaim: string;
  /** The role for each value of the role claim; when absent, the values are roles themselves. */
  readonly roles?: ReadonlyMap<string, Role>;
  readonly identityClaim: string;
};

export type Claims = Readonly<Record<string, unknown>>;

/** A user of the identity provider, as plans, quotas and the audit log know it. */
export type User = {
  readonly tenant: string;
  /** `tenant/name` */
  readonly identity: string;
  readonly role: Role;
  /** For display only: users may change it. */
  readonly name?: string;
};

const TENANT = /^[\w-]{1,64}$/;
/** Characters that the policy file accepts in an identity. */
const NAME = /^[\w.@+:|-]{1,128}$/;
const DISPLAY_CHARS_MAX = 100;
const PERMISSIONS: readonly Permission[] = ["read", "submit", "respond", "decide", "operate", "administer"];

/**
 * Returns the user that the claims describe. No claim has a default: a user without a tenant or a role is refused.
 *
 * @throws {Problem} `not_assigned`: which claim is missing or cannot be used.
 */
export function callerOf(claims: Claims, rules: ClaimRules): User {
  const tenant = rules.tenant ?? tenantIn(claims, rules.tenantClaim);
  const name = nameIn(claims, rules.identityClaim);
  const role = roleIn(claims, rules);
  const shown = displayNameIn(claims);
  return { tenant, identity: `${tenant}/${name}`, role, ...(shown === undefined ? {} : { name: shown }) };
}

function tenantIn(claims: Claims, claim: string): string {
  const value = claimAt(claims, claim);
  if (typeof value === "string" && TENANT.test(value)) return value;
  throw unassigned(
    value === undefined
      ? `the claim ${claim}, which names the tenant, is missing`
      : `the claim ${claim} does not name a tenant: wanted 1 to 64 letters, digits, _ or -`,
  );
}

function nameIn(claims: Claims, claim: string): string {
  const value = claimAt(claims, claim);
  if (claim === "email" && claims["email_verified"] === false)
    throw unassigned("the email address is not verified, so it cannot identify a user");
  if (typeof value === "string" && NAME.test(value)) return value;
  throw unassigned(
    value === undefined
      ? `the claim ${claim}, which identifies the user, is missing`
      : `the claim ${claim} cannot identify a user: wanted 1 to 128 letters, digits or . @ + : | _ -`,
  );
}

/** Returns the role that includes all other assigned roles. Roles that do not include each other are refused: combining them would grant more than either. */
function roleIn(claims: Claims, { roleClaim, roles }: ClaimRules): Role {
  const value = claimAt(claims, roleClaim);
  const values = Array.isArray(value) ? value : [value];
  const known = values.flatMap((one) => {
    if (typeof one !== "string") return [];
    const role = roles === undefined ? Role.safeParse(one).data : roles.get(one);
    return role === undefined ? [] : [role];
  });
  const found = ROLES.filter((role) => known.includes(role));
  const [broadest] = found.filter((role) => found.every((other) => includes(role, other)));
  if (broadest !== undefined) return broadest;
  if (found.length > 1)
    throw unassigned(`the claim ${roleClaim} gives the roles ${found.join(" and ")}: assign one of them`);
  const wanted = roles === undefined ? ROLES : [...roles.keys()];
  throw unassigned(
    value === undefined
      ? `the claim ${roleClaim}, which names the role, is missing`
      : `the claim ${roleClaim} has none of the values ${wanted.join(", ")}`,
  );
}

function includes(role: Role, other: Role): boolean {
  return PERMISSIONS.every(
    (permission) => !hasPermission(other, permission) || rolesWith(permission).includes(role),
  );
}

function displayNameIn(claims: Claims): string | undefined {
  const given = [claims["name"], claims["preferred_username"], claims["email"]].find(
    (value) => typeof value === "string" && value.trim() !== "",
  );
  return typeof given === "string" ? given.trim().slice(0, DISPLAY_CHARS_MAX) : undefined;
}

/** Looks a claim up by its full name, which may contain dots, and then as a path into nested objects. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>(fieldOf, claims);
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function unassigned(reason: string): Problem {
  return new Problem(
    "not_assigned",
    `the identity provider assigns this user no access: ${reason}. Ask its administrator`,
  );
}
