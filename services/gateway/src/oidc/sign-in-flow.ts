/** The authorization code flow of OpenID Connect, with PKCE, state and nonce. */
import * as client from "openid-client";
import { z } from "zod";
import { Problem } from "../http/problem.ts";
import type { BoundedFetch } from "./bounded-fetch.ts";
import { callerOf, type ClaimRules, type User } from "./caller-of.ts";
import type { IdentityProvider, ProviderMetadata } from "./identity-provider.ts";
import type { SignInSettings } from "./oidc-config.ts";

/** A sign-in in progress. It is kept in the browser and binds the provider's response to the browser that started it. */
export const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});
export type Attempt = z.output<typeof Attempt>;

export type SignInFlow = {
  /** Starts an attempt, and returns the URL of the provider for it. @throws {Problem} `unavailable` */
  begin(returnTo: string): Promise<{ readonly url: string; readonly attempt: Attempt }>;
  /**
   * Exchanges the code of the response, and returns the user.
   *
   * @param search - The query with which the provider sent the browser back.
   * @throws {Problem} `sign_in_failed`, `not_assigned`, `unavailable`
   */
  complete(search: string, attempt: Attempt): Promise<User>;
  /** Returns the URL that ends the session at the provider; undefined when it has none. */
  endUrl(): Promise<string | undefined>;
};

type Deps = {
  readonly provider: IdentityProvider;
  readonly fetch: BoundedFetch;
  readonly settings: SignInSettings;
  readonly rules: ClaimRules;
  readonly clockToleranceMs: number;
};

export function createSignInFlow(deps: Deps): SignInFlow {
  const { provider, settings } = deps;
  const { publicUrl, scopes, clientId } = settings;
  const callback = `${publicUrl}/auth/callback`;
  return {
    async begin(returnTo) {
      const verifier = client.randomPKCECodeVerifier();
      const attempt = { state: client.randomState(), nonce: client.randomNonce(), verifier, returnTo };
      const url = client.buildAuthorizationUrl(await configurationOf(deps), {
        redirect_uri: callback,
        scope: scopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, attempt };
    },
    async complete(search, { state, nonce, verifier }) {
      const configuration = await configurationOf(deps);
      const tokens = await failedAs(() =>
        client.authorizationCodeGrant(configuration, new URL(`${callback}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        }),
      );
      // The library relies on TLS for the ID token; verify its signature as well.
      const claims = await failedAs(() => provider.verify(tokens.id_token ?? "", { audience: clientId }));
      return userOf(claims, { ...deps, configuration, accessToken: tokens.access_token });
    },
    async endUrl() {
      const metadata = await provider.metadata();
      if (metadata.end_session_endpoint === undefined) return undefined;
      const url = new URL(metadata.end_session_endpoint);
      url.searchParams.set("client_id", clientId);
      url.searchParams.set("post_logout_redirect_uri", `${publicUrl}/`);
      return url.href;
    },
  };
}

/** Reads the user from the ID token, or from UserInfo where the provider has the custom claims only there. */
async function userOf(
  claims: Readonly<Record<string, unknown>>,
  {
    rules,
    configuration,
    accessToken,
  }: Deps & { readonly configuration: client.Configuration; readonly accessToken: string },
): Promise<User> {
  try {
    return callerOf(claims, rules);
  } catch (error) {
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
    if (endpoint === undefined) throw error;
  }
  const subject = typeof claims["sub"] === "string" ? claims["sub"] : "";
  const more = await failedAs(() => client.fetchUserInfo(configuration, accessToken, subject));
  return callerOf({ ...more, ...claims }, rules);
}

async function configurationOf({
  provider,
  settings,
  fetch,
  clockToleranceMs,
}: Deps): Promise<client.Configuration> {
  const metadata = await provider.metadata();
  const { clientId, clientSecret } = settings;
  const options = { [client.clockTolerance]: clockToleranceMs / 1_000 };
  const configuration = new client.Configuration(
    metadata as client.ServerMetadata,
    clientId,
    options,
    authenticationOf(metadata, clientSecret),
  );
  configuration[client.customFetch] = (url, { body, method, headers, signal }) =>
    fetch(url, { method, headers, ...(signal === undefined ? {} : { signal }), ...(body ? { body } : {}) });
  // Settings and metadata with plain http were refused before, except for this machine.
  client.allowInsecureRequests(configuration);
  return configuration;
}

/** Sends the secret as HTTP Basic, the default of OpenID Connect, unless the provider supports it in the body only. */
function authenticationOf(
  { token_endpoint_auth_methods_supported: methods }: ProviderMetadata,
  secret: string | undefined,
): client.ClientAuth {
  if (secret === undefined) return client.None();
  const inBody = methods?.includes("client_secret_post") === true && !methods.includes("client_secret_basic");
  return inBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
}

/** Turns errors of the exchange into problems: `unavailable` for outages, otherwise `sign_in_failed` with the reason. */
async function failedAs<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Problem && error.code === "unavailable") throw error;
    if (isOutage(error))
      throw new Problem("unavailable", "the identity provider does not answer; try again", { cause: error });
    throw new Problem("sign_in_failed", `the identity provider did not sign you in: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function isOutage(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return false;
  if (!(error instanceof Error)) return false;
  return error.name === "TimeoutError" || error.name === "AbortError" || error.message === "fetch failed";
}

const REASON_CHARS_MAX = 200;

function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const { error: code, error_description: description } = error;
    return (description === undefined ? code : `${code}, ${description}`).slice(0, REASON_CHARS_MAX);
  }
  return error instanceof Error ? error.message.slice(0, REASON_CHARS_MAX) : "its response cannot be read";
}
