/**
 * The OpenID provider: its metadata and keys, read on demand and cached.
 *
 * Invariants:
 *   OIDC-1. A token is accepted only if a key of the issuer's JWKS signed it with an asymmetric algorithm, and if issuer,
 *           audience and validity period match.
 *   OIDC-2. A request waits for at most one reading of metadata and keys. While the provider does not respond, keys read within
 *           the last day continue to work; other tokens are refused with `unavailable`.
 *   OIDC-3. Tokens with unknown keys cause at most one reading in five seconds.
 */
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { Problem } from "../http/problem.ts";
import type { BoundedFetch } from "./bounded-fetch.ts";
import { isSafeUrl } from "./oidc-config.ts";

/** Older metadata and keys are refreshed in the background. */
const FRESH_MS = 600_000;
/** Older keys are not trusted while the provider does not answer: it may have withdrawn them. */
const KEPT_MS = 86_400_000;
const BETWEEN_READINGS_MS = 5_000;
const RETRY_AFTER_S = 5;
/** Asymmetric algorithms only: with HMAC, an attacker could sign with the public key. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Refuses logout tokens and other types, which are signed with the same keys. */
const TYPES: ReadonlySet<string> = new Set(["jwt", "at+jwt", "application/at+jwt"]);

const Address = z.string().refine(isSafeUrl, "wanted an https URL");
const Metadata = z.looseObject({
  issuer: z.string(),
  jwks_uri: Address,
  authorization_endpoint: Address.optional(),
  token_endpoint: Address.optional(),
  userinfo_endpoint: Address.optional(),
  end_session_endpoint: Address.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
export type ProviderMetadata = z.output<typeof Metadata>;
const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(1_000) });

export type IdentityProvider = {
  readonly issuer: string;
  /** @throws {Problem} `unavailable` when the provider does not respond and has not responded for a day. */
  metadata(): Promise<ProviderMetadata>;
  /**
   * The claims of a token issued by the provider.
   *
   * @throws {Problem} `unauthorized` with the reason, `unavailable`
   */
  verify(token: string, options: { readonly audience: string }): Promise<JWTPayload>;
};

type Deps = {
  readonly issuer: string;
  readonly clockToleranceMs: number;
  readonly fetch: BoundedFetch;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  readonly log: Logger;
};

type Known = {
  readonly metadata: ProviderMetadata;
  readonly keys: ReturnType<typeof createLocalJWKSet>;
  readonly readAtMs: number;
};

export function createIdentityProvider(deps: Deps): IdentityProvider {
  const { issuer, monotonicMs } = deps;
  const readings = createReadings(deps);
  const current = async (): Promise<Known> => {
    const known = readings.known();
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : monotonicMs() - known.readAtMs;
    if (known === undefined || ageMs > KEPT_MS) return readings.read();
    // The reading logs a failure; the known keys continue to work.
    if (ageMs > FRESH_MS) readings.read().catch(() => undefined);
    return known;
  };
  const check = async (token: string, { keys }: Known, audience: string): Promise<JWTPayload> => {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: deps.clockToleranceMs / 1_000,
      currentDate: deps.now(),
      requiredClaims: ["exp"],
    });
    if (TYPES.has((protectedHeader.typ ?? "jwt").toLowerCase())) return payload;
    throw new errors.JWTInvalid(`it is a ${JSON.stringify(protectedHeader.typ)}, not an access or ID token`);
  };
  return {
    issuer,
    metadata: async () => (await current()).metadata,
    async verify(token, { audience }) {
      const known = await current();
      try {
        return await check(token, known, audience);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw refusalOf(error);
        if (monotonicMs() - known.readAtMs < BETWEEN_READINGS_MS) throw refusalOf(error);
      }
      // The provider may have a new key.
      return check(token, await readings.read(), audience).catch((error: unknown) => {
        throw refusalOf(error);
      });
    },
  };
}

type Readings = {
  readonly known: () => Known | undefined;
  /**
   * Reads now; simultaneous calls share one reading. @throws {Problem} `unavailable`, without another request if the last one has
   * just failed.
   */
  readonly read: () => Promise<Known>;
};

function createReadings({ issuer, fetch, monotonicMs, log }: Deps): Readings {
  let known: Known | undefined;
  let reading: Promise<Known> | undefined;
  let failed: { readonly atMs: number; readonly problem: Problem } | undefined;
  const readNow = async (): Promise<Known> => {
    try {
      const metadata = await readMetadata(issuer, fetch);
      const { keys } = await readJson(metadata.jwks_uri, Jwks, fetch);
      known = { metadata, keys: createLocalJWKSet({ keys }), readAtMs: monotonicMs() };
      if (failed !== undefined) log.info({ issuer }, "identity provider available again");
      failed = undefined;
      return known;
    } catch (error) {
      // Aborted because the gateway is stopping.
      if (failed === undefined && !isAborted(error))
        log.warn(
          { issuer, reason: describeError(error) },
          "the identity provider does not answer: users cannot sign in, keys are not affected",
        );
      const message = `the identity provider ${issuer} sent an invalid response; try again`;
      const problem = new Problem("unavailable", message, {
        cause: error,
        retryAfterS: RETRY_AFTER_S,
        isLogged: true,
      });
      failed = { atMs: monotonicMs(), problem };
      throw problem;
    } finally {
      reading = undefined;
    }
  };
  return {
    known: () => known,
    read: async () => {
      if (reading === undefined && failed !== undefined && monotonicMs() - failed.atMs < BETWEEN_READINGS_MS)
        throw failed.problem;
      reading ??= readNow();
      return reading;
    },
  };
}

async function readMetadata(issuer: string, fetch: BoundedFetch): Promise<ProviderMetadata> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const metadata = await readJson(address, Metadata, fetch);
  if (metadata.issuer === issuer) return metadata;
  throw new Error(
    `${address} names the issuer ${JSON.stringify(metadata.issuer)}: set OIDC_ISSUER to it if it is the right one`,
  );
}

async function readJson<Schema extends z.ZodType>(
  address: string,
  Schema: Schema,
  fetch: BoundedFetch,
): Promise<z.output<Schema>> {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}, wanted 200`);
  const parsed = Schema.safeParse(await response.json());
  if (parsed.success) return parsed.data;
  throw new Error(`${address}: ${z.prettifyError(parsed.error)}`);
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  return new Problem("unauthorized", `the token is not accepted: ${reasonOf(error)}`, { cause: error });
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWKSNoMatchingKey) return "the issuer has no matching key";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "its signature algorithm is not permitted";
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === "nbf") return "it is not valid yet";
    return reason === "missing" ? `it has no claim ${claim}` : `its claim ${claim} is another one`;
  }
  return error instanceof errors.JWTInvalid ? error.message : "it is malformed";
}
