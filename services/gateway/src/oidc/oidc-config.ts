/** The settings of the identity provider, and the checks that involve several of them. */
import { Role } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { duration, list, secret, text, url } from "@planwright/shared/service";
import { z } from "zod";
import { isLoopback } from "../http/loopback.ts";
import type { ClaimRules } from "./caller-of.ts";

const SECRET_CHARS_MIN = 32;
const ROLE_OF_GROUP = /^[^=,\s][^=,]{0,199}=(\w+)$/;

export const oidcConfig = {
  PLANWRIGHT_PUBLIC_URL: url({ schemes: ["https", "http"] })
    .refine((value) => URL.parse(value)?.pathname === "/")
    .optional()
    .meta({
      wanted: "a URL without a path, such as https://planwright.example.com",
      description:
        "URL at which browsers reach the gateways. OIDC_CLIENT_ID requires it: the identity provider redirects users to its `/auth/callback`. If it is https, cookies are Secure.",
    }),
  OIDC_ISSUER: z.string().trim().refine(isIssuer).optional().meta({
    wanted: "the https URL of an OpenID provider; http only on this machine",
    description:
      "Issuer URL of the identity provider, exactly as in its discovery document and tokens (docs/identity-provider.md).",
  }),
  OIDC_AUDIENCE: text({ wanted: "the audience of access tokens" }).optional().meta({
    description:
      "Audience of the JWTs from OIDC_ISSUER that the gateway accepts as `Authorization: Bearer`. Without it, no tokens are accepted.",
  }),
  OIDC_CLIENT_ID: text({ wanted: "a client id" }).optional().meta({
    description: "Client ID at the identity provider. Set it to let users sign in to the dashboard.",
  }),
  OIDC_CLIENT_SECRET: secret().optional().meta({
    description:
      "Client secret of OIDC_CLIENT_ID. Without it, the client is a public client, protected only by PKCE.",
  }),
  OIDC_SCOPES: text({ wanted: "scopes separated by spaces, with openid" })
    .refine((value) => value.split(/\s+/).includes("openid"))
    .default("openid profile email")
    .meta({
      description: "Scopes to request at sign-in. Add the scope that provides the tenant and the role.",
    }),
  OIDC_TENANT: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .meta({
      wanted: "a tenant's name",
      description: "Tenant of all users of the identity provider. Replaces the claim.",
    }),
  OIDC_TENANT_CLAIM: text({ wanted: "a claim's name" }).default("planwright_tenant").meta({
    description: "Claim that contains the tenant. Use dots for nested claims, such as `app.tenant`.",
  }),
  OIDC_ROLE_CLAIM: text({ wanted: "a claim's name" }).default("planwright_role").meta({
    description:
      "Claim that contains the role, or a list of roles or groups. Use dots for nested claims, such as `realm_access.roles`.",
  }),
  OIDC_ROLES: z
    .string()
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every((entry) => Role.safeParse(ROLE_OF_GROUP.exec(entry)?.[1]).success))
    .transform((entries) => new Map(entries.map(roleOfGroup)))
    .optional()
    .meta({
      wanted:
        "group=role pairs separated by commas, with the roles viewer, submitter, approver, operator or admin",
      description:
        "Maps values of the role claim to roles, such as `planners=submitter,leads=approver`. Without it, the claim must contain the name of a role. Other values grant no access.",
    }),
  OIDC_IDENTITY_CLAIM: text({ wanted: "a claim's name" }).default("sub").meta({
    description:
      "Claim that identifies the user: the identity is `tenant/value`. Choose a claim that users cannot change themselves, such as `email` if the provider verifies it.",
  }),
  OIDC_CLOCK_TOLERANCE: duration({ maxMs: 60_000 }).default(10_000).meta({
    description: "Maximum difference between the clocks of the gateway and the identity provider.",
  }),
  OIDC_SESSION_SECRET: list({
    item: /^\S{32,}$/,
    wanted: `secrets of at least ${SECRET_CHARS_MIN} characters, separated by commas`,
  })
    .optional()
    .meta({
      wanted: `secrets of at least ${SECRET_CHARS_MIN} characters, separated by commas`,
      secret: true,
      description:
        "Secrets that encrypt session cookies; the same for all gateways. The first one encrypts and all of them decrypt, so you can replace a secret without ending sessions.",
    }),
  OIDC_SESSION_LIFE: duration({ minMs: 60_000, maxMs: 7 * 86_400_000 })
    .default(8 * 3_600_000)
    .meta({
      description:
        "Lifetime of a session. A user who is blocked at the identity provider can keep using an open session until it expires.",
    }),
};

const Settings = z.object(oidcConfig);
type OidcConfig = z.output<typeof Settings>;

export type SignInSettings = {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** The URL at which browsers reach the gateways, without a trailing slash. */
  readonly publicUrl: string;
  /** The first one encrypts. */
  readonly sessionSecrets: readonly [string, ...string[]];
  readonly sessionLifeMs: number;
};

export type OidcSettings = {
  readonly issuer: string;
  readonly clockToleranceMs: number;
  readonly rules: ClaimRules;
  /** The audience of access tokens; undefined where none are accepted. */
  readonly audience: string | undefined;
  /** Undefined where users cannot sign in to the page. */
  readonly signIn: SignInSettings | undefined;
};

/**
 * Returns the settings of the identity provider; undefined where there is none.
 *
 * @throws {PermanentError} `oidc_settings`: which settings are missing.
 */
export function oidcSettings(config: OidcConfig): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined) {
    const stray = (["OIDC_AUDIENCE", "OIDC_CLIENT_ID"] as const).find((name) => config[name] !== undefined);
    if (stray !== undefined) throw refusal(`${stray} is set without OIDC_ISSUER: set OIDC_ISSUER too`);
    return undefined;
  }
  if (audience === undefined && clientId === undefined)
    throw refusal(
      "OIDC_ISSUER alone lets no user in: set OIDC_CLIENT_ID for sign-ins to the page, OIDC_AUDIENCE for access tokens, or both",
    );
  const roles = config.OIDC_ROLES;
  return {
    issuer,
    clockToleranceMs: config.OIDC_CLOCK_TOLERANCE,
    audience,
    rules: {
      tenant: config.OIDC_TENANT,
      tenantClaim: config.OIDC_TENANT_CLAIM,
      roleClaim: config.OIDC_ROLE_CLAIM,
      ...(roles === undefined ? {} : { roles }),
      identityClaim: config.OIDC_IDENTITY_CLAIM,
    },
    signIn: clientId === undefined ? undefined : signInSettings(clientId, config),
  };
}

function signInSettings(clientId: string, config: OidcConfig): SignInSettings {
  const { PLANWRIGHT_PUBLIC_URL: publicUrl, OIDC_SESSION_SECRET: secrets } = config;
  if (publicUrl === undefined)
    throw refusal(
      "OIDC_CLIENT_ID needs PLANWRIGHT_PUBLIC_URL: the URL at which browsers reach the gateway, such as https://planwright.example.com",
    );
  const [first, ...others] = secrets ?? [];
  if (first === undefined)
    throw refusal(
      "OIDC_CLIENT_ID needs OIDC_SESSION_SECRET, the same for all gateways: make one with `openssl rand -base64 32`",
    );
  return {
    clientId,
    clientSecret: config.OIDC_CLIENT_SECRET,
    scopes: config.OIDC_SCOPES,
    publicUrl,
    sessionSecrets: [first, ...others],
    sessionLifeMs: config.OIDC_SESSION_LIFE,
  };
}

/** Whether tokens and secrets may be sent there: https, or http on this machine. */
export function isSafeUrl(value: string): boolean {
  const parsed = URL.parse(value);
  if (parsed === null) return false;
  return parsed.protocol === "https:" || (parsed.protocol === "http:" && isLoopback(parsed.hostname));
}

function isIssuer(value: string): boolean {
  const parsed = URL.parse(value);
  return (
    parsed !== null &&
    isSafeUrl(value) &&
    parsed.search === "" &&
    parsed.hash === "" &&
    parsed.username === ""
  );
}

function roleOfGroup(entry: string): readonly [string, Role] {
  const at = entry.lastIndexOf("=");
  return [entry.slice(0, at), Role.parse(entry.slice(at + 1))];
}

function refusal(message: string): PermanentError {
  return new PermanentError(message, { code: "oidc_settings" });
}
