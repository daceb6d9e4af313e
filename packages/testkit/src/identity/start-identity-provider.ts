/**
 * A real OpenID provider over HTTP, with a client for the page and one for programs. It signs in the test's user without asking.
 */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { JWK, JWTPayload } from "jose";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";

export type TestUser = { readonly sub: string } & Readonly<Record<string, unknown>>;

export type TestIdentityProvider = AsyncDisposable & {
  readonly issuer: string;
  /** The audience of access tokens for the API. */
  readonly audience: string;
  /** The client that users sign in with. */
  readonly client: { readonly id: string; readonly secret: string };
  /** The user of the next sign-in; when undefined, the sign-in is declined. */
  user: TestUser | undefined;
  /** Number of requests by path. */
  readonly asked: ReadonlyMap<string, number>;
  /** Returns an access token for a program from the token endpoint, with these claims in addition to the protocol's. */
  accessToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns a token with exactly these claims, signed by the current key or another one. */
  sign(claims: JWTPayload, options?: SignOptions): Promise<string>;
  /** The published public keys. */
  publicKeys(): readonly JWK[];
  /** Replaces the signing key; the previous one is no longer published. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
};

export type SignOptions = { readonly key?: JWK; readonly header?: Readonly<Record<string, unknown>> };

const AUDIENCE = "urn:planwright:api";
const CLIENT = { id: "planwright-page", secret: "a-secret-of-the-page-client" };
const PROGRAM = { id: "a-program", secret: "a-secret-of-a-program-client" };
const CLAIMS = ["planwright_tenant", "planwright_role", "name", "email", "email_verified", "groups"];

/**
 * Starts a provider on a port of this machine.
 *
 * @param options.redirectUris - The redirect URIs of the page's client.
 * @param options.host - Its host name; to a browser, `localhost` is another site than 127.0.0.1.
 * @param options.claimsInIdToken - Whether the ID token has the users' claims, or only the UserInfo response.
 */
export async function startIdentityProvider({
  redirectUris,
  host = "127.0.0.1",
  claimsInIdToken = true,
}: {
  readonly redirectUris: readonly string[];
  readonly host?: "127.0.0.1" | "localhost";
  readonly claimsInIdToken?: boolean;
}): Promise<TestIdentityProvider> {
  const { calculateJwkThumbprint, SignJWT } = await import("jose");
  const current = { key: await newKey(), extra: {} as Readonly<Record<string, unknown>> };
  const asked = new Map<string, number>();
  let server: Server | undefined = await listen(0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const issuer = `http://${host}:${port}`;

  const provider: TestIdentityProvider = {
    issuer,
    audience: AUDIENCE,
    client: CLIENT,
    user: undefined,
    asked,
    async accessToken(claims) {
      current.extra = claims;
      const credentials = Buffer.from(`${PROGRAM.id}:${PROGRAM.secret}`).toString("base64");
      const body = new URLSearchParams({
        grant_type: "client_credentials",
        resource: AUDIENCE,
        scope: "api",
      });
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${credentials}` },
        body,
      });
      const { access_token: token } = (await response.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`the provider answered ${response.status} without a token`);
      return token;
    },
    async sign(claims, { key = current.key, header = {} } = {}) {
      const kid = key.kid ?? (await calculateJwkThumbprint(key));
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(key);
    },
    publicKeys: () => [publicOf(current.key)],
    async rotate() {
      current.key = await newKey();
      await provider.stop();
      await provider.start();
    },
    async stop() {
      server?.closeAllConnections();
      server?.close();
      if (server?.listening) await once(server, "close");
      server = undefined;
    },
    async start() {
      server ??= await listen(port);
      await serve(server, { issuer, provider, current, redirectUris, claimsInIdToken });
    },
    [Symbol.asyncDispose]: () => provider.stop(),
  };
  await provider.start();
  return provider;
}

/** Creates an RSA key for signatures. */
export async function newKey(): Promise<JWK> {
  const { exportJWK, generateKeyPair, calculateJwkThumbprint } = await import("jose");
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, kid: await calculateJwkThumbprint(key), alg: "RS256", use: "sig" };
}

function publicOf({ kty, n, e, kid, alg, use }: JWK): JWK {
  return { kty, n, e, kid, alg, use } as JWK;
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

type Served = {
  readonly issuer: string;
  readonly provider: TestIdentityProvider;
  readonly current: { readonly key: JWK; readonly extra: Readonly<Record<string, unknown>> };
  readonly redirectUris: readonly string[];
  readonly claimsInIdToken: boolean;
};

async function serve(server: Server, served: Served): Promise<void> {
  const { default: Provider } = await import("oidc-provider");
  const { issuer, provider } = served;
  const oidc = new Provider(issuer, configurationOf(served));
  const asked = provider.asked as Map<string, number>;
  oidc.use(async (context, next) => {
    asked.set(context.path, (asked.get(context.path) ?? 0) + 1);
    if (!context.path.startsWith("/interaction/")) {
      await next();
      return;
    }
    const { prompt } = await oidc.interactionDetails(context.req, context.res);
    const { user } = provider;
    if (prompt.name === "login" && user === undefined) {
      await oidc.interactionFinished(context.req, context.res, {
        error: "access_denied",
        error_description: "the user declined",
      });
      return;
    }
    await oidc.interactionFinished(context.req, context.res, { login: { accountId: user?.sub ?? "" } });
  });
  server.removeAllListeners("request");
  const answer = oidc.callback();
  server.on("request", (request, response) => void answer(request, response));
}

function configurationOf({ provider, current, redirectUris, claimsInIdToken }: Served): Configuration {
  const origins = redirectUris.map((uri) => `${new URL(uri).origin}/`);
  return {
    jwks: { keys: [current.key] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: origins,
      },
      {
        client_id: PROGRAM.id,
        client_secret: PROGRAM.secret,
        grant_types: ["client_credentials"],
        response_types: [],
        redirect_uris: [],
      },
    ],
    cookies: { keys: ["a key of the provider's cookies"] },
    conformIdTokenClaims: !claimsInIdToken,
    claims: { openid: ["sub"], profile: [...CLAIMS] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...provider.user, sub }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // Users are not asked for their consent.
    loadExistingGrant: grantAll,
    extraTokenClaims: () => current.extra,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: "api", audience: AUDIENCE, accessTokenFormat: "jwt" }),
      },
    },
    ttl: {
      AccessToken: 600,
      ClientCredentials: 600,
      IdToken: 600,
      Session: 600,
      Interaction: 600,
      Grant: 600,
    },
  };
}

async function grantAll({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  const grant = new provider.Grant({ clientId: client?.clientId ?? "", accountId: session?.accountId ?? "" });
  grant.addOIDCScope("openid profile email");
  await grant.save();
  return grant;
}
