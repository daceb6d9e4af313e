import { SOCKET_KEY_PREFIX } from "@planwright/api";
import type { Role } from "@planwright/plan";
import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type ApiKey, TENANT_DEFAULT } from "@planwright/shared/service";
import { Problem } from "./problem.ts";

export type Credentials = {
  readonly authorization: string | undefined;
  /** `Sec-WebSocket-Protocol`. */
  readonly protocols: string | undefined;
  /** `Cookie`; a session counts only if no key or token is sent. */
  readonly cookie?: string | undefined;
  /** Whether the request sends spans. */
  readonly withSpans: boolean;
};

/** The caller of a request, as plans and quotas know it. */
export type Caller = {
  /** The tenant whose plans the caller may see. */
  readonly tenant: string;
  /** Identity of the key or user: `tenant`, or `tenant/name`; undefined where no credentials are needed. */
  readonly identity: string | undefined;
};

/** The authenticated caller. */
export type Authenticated = Caller & {
  readonly role: Role;
  /** Whether it is a service that sends its spans and may do nothing else. */
  readonly sendsSpans?: true;
  /** Absent for keys. */
  readonly credential?: "token" | "session";
  /** Only for display; set for users of the identity provider. */
  readonly name?: string;
  /** When the token or session expires. */
  readonly expiresAt?: Date;
  /** Aborts when the key is revoked or the credentials expire; absent for keys that never do. */
  readonly ended?: AbortSignal;
};

/** Identifies the caller of a request. */
export type Authenticate = (credentials: Credentials) => Promise<Authenticated>;

/** How long the response to a wrong key is delayed, so that guessing keys is slow. */
const WRONG_KEY_MS = 1_000;
/** The maximum number of delayed responses, each of which holds a connection. */
const WRONG_KEYS_MAX = 1_000;

/**
 * Admits valid keys immediately. An invalid key is refused after a second, or immediately when a thousand are already waiting.
 *
 * @param keys - If there are none and no identity provider is set, everyone is admitted, as one tenant.
 * @param options.traceKey - The services' key for sending spans; tenants cannot send spans in their name.
 * @param options.managed - Looks up the keys that admins have created.
 * @param options.useToken - Looks up the user of an access token, where an identity provider is set.
 * @param options.findSession - Looks up the user of the session in the cookies, where users can sign in.
 * @param options.pause - The delay for a wrong key; default one second.
 * @throws {Problem} From the returned function: `unauthorized`, `not_assigned`, `rate_limited`, `unavailable`.
 */
export function createAuthenticate(
  keys: readonly ApiKey[],
  {
    traceKey,
    managed,
    useToken,
    findSession,
    pause = () => delay(WRONG_KEY_MS),
  }: {
    readonly traceKey?: string | undefined;
    readonly managed?: (sent: string) => Authenticated | undefined;
    readonly useToken?: ((sent: string) => Promise<Authenticated | undefined>) | undefined;
    readonly findSession?: ((cookie: string | undefined) => Promise<Authenticated | undefined>) | undefined;
    readonly pause?: () => Promise<void>;
  } = {},
): Authenticate {
  const traceDigest = traceKey === undefined ? undefined : digestOf(traceKey);
  const isOpen = keys.length === 0 && useToken === undefined && findSession === undefined;
  let waiting = 0;
  const known = keys.flatMap(({ tenant, identity, role, key, entry }) =>
    // Clients may also send the whole entry as written in the setting.
    [...new Set([key, entry])].map((accepted) => ({ tenant, identity, role, digest: digestOf(accepted) })),
  );
  return async (credentials) => {
    if (isOpen) return { tenant: TENANT_DEFAULT, identity: undefined, role: "admin" };
    const sent = keyOf(credentials);
    if (sent === undefined) {
      const session = await findSession?.(credentials.cookie);
      if (session !== undefined) return session;
      throw new Problem("unauthorized", howToAuthenticate({ useToken, findSession }));
    }
    const digest = digestOf(sent);
    if (credentials.withSpans && traceDigest !== undefined && timingSafeEqual(traceDigest, digest)) {
      return { tenant: "", identity: undefined, role: "submitter", sendsSpans: true };
    }
    // Digests have one length, and every one is compared, so the duration reveals nothing.
    const [match] = known.filter((candidate) => timingSafeEqual(candidate.digest, digest));
    if (match !== undefined) return { tenant: match.tenant, identity: match.identity, role: match.role };
    const found = managed?.(sent);
    if (found !== undefined) return found;
    const { user, refusal = new Problem("unauthorized", "unknown API key") } = await tryToken(useToken, sent);
    if (user !== undefined) return user;
    if (waiting >= WRONG_KEYS_MAX) {
      throw new Problem("rate_limited", "too many simultaneous requests with wrong keys", { retryAfterS: 1 });
    }
    waiting++;
    await pause();
    waiting--;
    throw refusal;
  };
}

type TriedToken = { readonly user?: Authenticated; readonly refusal?: Problem };

/** @throws {Problem} `not_assigned`, `unavailable`: valid tokens and outages are not delayed like wrong keys. */
async function tryToken(
  useToken: ((sent: string) => Promise<Authenticated | undefined>) | undefined,
  sent: string,
): Promise<TriedToken> {
  try {
    const user = await useToken?.(sent);
    return user === undefined ? {} : { user };
  } catch (error) {
    if (error instanceof Problem && error.code === "unauthorized") return { refusal: error };
    throw error;
  }
}

function howToAuthenticate({ useToken, findSession }: { useToken: unknown; findSession: unknown }): string {
  const bearer = useToken === undefined ? "a key" : "a key or an access token";
  const send = `send ${bearer} as \`Authorization: Bearer <${useToken === undefined ? "key" : "key or token"}>\``;
  return findSession === undefined ? send : `${send}, or sign in to the page; a session may have ended`;
}

function keyOf({ authorization, protocols }: Credentials): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  // A browser cannot set headers on a WebSocket, but it can offer a subprotocol.
  const offered = (protocols ?? "").split(",").map((protocol) => protocol.trim());
  const carrier = offered.find((protocol) => protocol.startsWith(SOCKET_KEY_PREFIX));
  if (carrier === undefined) return undefined;
  return Buffer.from(carrier.slice(SOCKET_KEY_PREFIX.length), "base64url").toString();
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
