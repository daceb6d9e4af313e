/** Access tokens as credentials of the API. */
import type { Authenticated } from "../http/authenticate.ts";
import { callerOf, type ClaimRules } from "./caller-of.ts";
import type { Ends } from "./ends.ts";
import type { IdentityProvider } from "./identity-provider.ts";

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const TOKEN_CHARS_MAX = 16_384;

/** Whether a credential has the form of a JWT. Its signature and claims are not checked. */
export function isJwt(sent: string): boolean {
  if (!JWT.test(sent)) return false;
  const [header = ""] = sent.split(".");
  try {
    const parsed: unknown = JSON.parse(Buffer.from(header, "base64url").toString());
    return typeof parsed === "object" && parsed !== null && "alg" in parsed;
  } catch {
    return false;
  }
}

/**
 * Returns a function that finds the user of an access token. It returns undefined for credentials that are not JWTs.
 *
 * @throws {Problem} From the returned function: `unauthorized`, `not_assigned`, `unavailable`.
 */
export function createUseToken(
  provider: Pick<IdentityProvider, "verify">,
  { audience, rules, ends }: { readonly audience: string; readonly rules: ClaimRules; readonly ends: Ends },
): (sent: string) => Promise<Authenticated | undefined> {
  return async (sent) => {
    if (sent.length > TOKEN_CHARS_MAX || !isJwt(sent)) return undefined;
    const claims = await provider.verify(sent, { audience });
    const expiresAt = new Date((claims.exp ?? 0) * 1_000);
    return { ...callerOf(claims, rules), credential: "token", expiresAt, ended: ends.at(expiresAt) };
  };
}
