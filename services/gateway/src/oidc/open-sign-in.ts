/** Assembles access tokens and sign-ins from the settings of the identity provider. */
import { createHash } from "node:crypto";
import type { Bus } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import type { RandomBytes } from "@planwright/shared/telemetry";
import type { Authenticated } from "../http/authenticate.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { callerOf, type ClaimRules, type User } from "./caller-of.ts";
import { cookieHeader, readCookies } from "./cookies.ts";
import { openEndedSessions, type EndedSessions } from "./ended-sessions.ts";
import { createIdentityProvider, type IdentityProvider } from "./identity-provider.ts";
import type { OidcSettings, SignInSettings } from "./oidc-config.ts";
import { createSealing, openAs } from "./sealed.ts";
import { Attempt, createSignInFlow, type SignInFlow } from "./sign-in-flow.ts";
import { Role } from "@planwright/plan";
import { z } from "zod";
import { Problem } from "../http/problem.ts";

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const TOKEN_CHARS_MAX = 16_384;

const LIFE_S = 600;
/** Above this number a browser's earlier attempts are dropped, because request headers have a size limit. */
const ATTEMPTS_MAX = 5;
const ID_CHARS = 16;
const PATH = "/auth/";

/** How users sign in to the page. */
export type SignIn = {
  readonly issuer: string;
  readonly flow: SignInFlow;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
};

export type Oidc = AsyncDisposable & {
  /** Finds the user of an access token; undefined when OIDC_AUDIENCE is not set. */
  readonly useToken: ((sent: string) => Promise<Authenticated | undefined>) | undefined;
  /** Undefined when OIDC_CLIENT_ID is not set. */
  readonly signIn: SignIn | undefined;
};

/** Returns without waiting for the provider, which may be down; a failure is logged. */
export async function openOidc(
  bus: Bus,
  { issuer, audience, rules, clockToleranceMs, signIn: settings }: OidcSettings,
  deps: {
    readonly random: RandomBytes;
    readonly log: Logger;
    readonly fetch: typeof fetch;
    readonly now: () => Date;
    readonly monotonicMs: () => number;
  },
): Promise<Oidc> {
  const { log, now, monotonicMs } = deps;
  const stopping = new AbortController();
  const ends = createEnds(now);
  const boundedFetch = createBoundedFetch({ fetch: deps.fetch, stopping: stopping.signal });
  const reading = { issuer, clockToleranceMs, fetch: boundedFetch, now, monotonicMs, log };
  const provider = createIdentityProvider(reading);
  // The reading logs a failure, and the next request tries again.
  provider.metadata().catch(() => undefined);
  const ended =
    settings === undefined
      ? undefined
      : await openEndedSessions(bus, { ...deps, sessionLifeMs: settings.sessionLifeMs });
  return {
    useToken: audience === undefined ? undefined : createUseToken(provider, { audience, rules, ends }),
    signIn:
      settings === undefined || ended === undefined
        ? undefined
        : {
            issuer,
            flow: createSignInFlow({ provider, fetch: boundedFetch, settings, rules, clockToleranceMs }),
            sessions: createSessions(settings, { ...deps, ends, ended }),
            attempts: createAttempts(settings, { now }),
          },
    async [Symbol.asyncDispose]() {
      ends[Symbol.dispose]();
      await ended?.[Symbol.asyncDispose]();
      stopping.abort(new DOMException("the gateway is stopping", "AbortError"));
    },
  };
}

/** Sign-in attempts. Each has its own cookie, so that several tabs can sign in simultaneously. */
type Attempts = {
  /** Returns the `Set-Cookie` headers that store an attempt in the browser. @param cookies - The `Cookie` header of the request. */
  keep(attempt: Attempt, cookies: string | undefined): Promise<string[]>;
  /** Returns the attempt with this `state` and the header that removes its cookie; undefined when this browser did not make it. */
  take(
    state: string,
    cookies: string | undefined,
  ): Promise<{ readonly attempt: Attempt; readonly forget: string } | undefined>;
};

function createAttempts(
  { publicUrl, sessionSecrets }: SignInSettings,
  { now }: { readonly now: () => Date },
): Attempts {
  const secure = publicUrl.startsWith("https:");
  const prefix = `${secure ? "__Secure-" : ""}planwright_sign_in_`;
  const sealing = createSealing(sessionSecrets, { purpose: `sign-in of ${publicUrl}`, now });
  const nameOf = (state: string) =>
    prefix + createHash("sha256").update(state).digest("hex").slice(0, ID_CHARS);
  const cookie = (name: string, value: string, maxAgeS: number) =>
    cookieHeader(name, value, { path: PATH, secure, maxAgeS });
  return {
    async keep(attempt, cookies) {
      const sealed = await sealing.seal(attempt, new Date(now().getTime() + LIFE_S * 1_000));
      const kept = [...readCookies(cookies).keys()].filter((name) => name.startsWith(prefix));
      const forgotten = kept.length < ATTEMPTS_MAX ? [] : kept;
      return [...forgotten.map((name) => cookie(name, "", 0)), cookie(nameOf(attempt.state), sealed, LIFE_S)];
    },
    async take(state, cookies) {
      const name = nameOf(state);
      const opened = await openAs(sealing, Attempt, readCookies(cookies).get(name));
      if (opened === undefined || opened.value.state !== state) return undefined;
      return { attempt: opened.value, forget: cookie(name, "", 0) };
    },
  };
}

/** Whether a credential has the form of a JWT. Its signature and claims are not checked. */
function isJwt(sent: string): boolean {
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
function createUseToken(
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

const ID_BYTES = 16;

const SessionUser = z.object({
  /** The id of the session, used to end it. */
  id: z.string().min(1),
  tenant: z.string(),
  identity: z.string(),
  role: Role,
  name: z.string().optional(),
  /** When it began, in milliseconds; absent in sessions of earlier versions. */
  at: z.number().optional(),
});

/** Sessions of the page: encrypted cookies that hold the user. Every gateway with the same secret can read them. */
export type Sessions = {
  /** The origin of the page, the only one from which a session may change something. */
  readonly origin: string;
  /**
   * Returns the user of the session in a `Cookie` header; undefined without a session, or when it has expired or was ended.
   *
   * @throws {Problem} `unavailable` when it may have been ended without this gateway knowing.
   */
  find(cookies: string | undefined): Promise<Session | undefined>;
  /** Returns the `Set-Cookie` header that starts a session. */
  begin(user: User): Promise<string>;
  /** Ends a session on every gateway, with its open connections. @throws {Problem} `unavailable` */
  end(session: Session): Promise<void>;
  /** Ends all sessions of a user, with their open connections. @throws {Problem} `unavailable` */
  endAllOf(identity: string): Promise<void>;
  /** The `Set-Cookie` header that removes it from this browser. */
  readonly forget: string;
};

/** The user of a session. */
export type Session = Authenticated & { readonly sessionId: string; readonly expiresAt: Date };

export function createSessions(
  { publicUrl, sessionSecrets, sessionLifeMs }: SignInSettings,
  {
    now,
    random,
    ends,
    ended,
  }: {
    readonly now: () => Date;
    readonly random: RandomBytes;
    readonly ends: Ends;
    readonly ended: EndedSessions;
  },
): Sessions {
  const secure = publicUrl.startsWith("https:");
  // With this prefix, browsers accept the cookie only over https and from this host itself.
  const name = secure ? "__Host-planwright_session" : "planwright_session";
  const sealing = createSealing(sessionSecrets, { purpose: `session of ${publicUrl}`, now });
  const cookie = (value: string, maxAgeS: number) =>
    cookieHeader(name, value, { path: "/", secure, maxAgeS });
  return {
    origin: new URL(publicUrl).origin,
    async find(cookies) {
      const opened = await openAs(sealing, SessionUser, readCookies(cookies).get(name));
      if (opened === undefined) return undefined;
      const { value, expiresAt } = opened;
      const { name: shown, id: sessionId, at = expiresAt.getTime() - sessionLifeMs, ...user } = value;
      const session = { id: sessionId, identity: user.identity, beganAt: new Date(at), expiresAt };
      if (ended.has(session)) return undefined;
      const named = shown === undefined ? user : { ...user, name: shown };
      const signal = ended.signalOf(session, ends.at(expiresAt));
      return { ...named, sessionId, credential: "session", expiresAt, ended: signal };
    },
    async begin(user) {
      const id = Buffer.from(random(ID_BYTES)).toString("base64url");
      const at = now().getTime();
      const sealed = await sealing.seal({ ...user, id, at }, new Date(at + sessionLifeMs));
      return cookie(sealed, Math.floor(sessionLifeMs / 1_000));
    },
    end: ({ sessionId: id, expiresAt }) => ended.end({ id, expiresAt }),
    endAllOf: (identity) => ended.endAllOf(identity),
    forget: cookie("", 0),
  };
}

/** Latest time of a signal, which bounds their number to one for each second of a day. */
const HORIZON_S = 86_400;
const SWEEP_MS = 1_000;

/** Abort signals that fire when a token or session expires, for the streams and WebSockets opened with it. */
export type Ends = Disposable & {
  /** Returns a signal that aborts at this time, or after a day if that is earlier. Times within the same second share a signal. */
  at(expiresAt: Date): AbortSignal;
};

export function createEnds(now: () => Date): Ends {
  const ends = new Map<number, AbortController>();
  const sweep = setInterval(() => {
    const nowS = now().getTime() / 1_000;
    for (const [second, end] of ends) {
      if (second > nowS) continue;
      end.abort(new Problem("unauthorized", "the session or token has expired"));
      ends.delete(second);
    }
  }, SWEEP_MS).unref();
  return {
    at(expiresAt) {
      const latest = Math.ceil(now().getTime() / 1_000) + HORIZON_S;
      const second = Math.min(Math.ceil(expiresAt.getTime() / 1_000), latest);
      const end = ends.get(second) ?? new AbortController();
      ends.set(second, end);
      return end.signal;
    },
    [Symbol.dispose]: () => clearInterval(sweep),
  };
}
