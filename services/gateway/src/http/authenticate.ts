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
  /** Whether spans are sent with it. */
  readonly withSpans: boolean;
};

/** Whose request it is, as plans and quotas know it. */
export type Caller = {
  /** Whose plans it may see. */
  readonly tenant: string;
  /** Of its key: `tenant`, or `tenant/name`; undefined where no keys are set, and nobody was asked for one. */
  readonly identity: string | undefined;
};

/** Who was let in. */
export type Authenticated = Caller & {
  readonly role: Role;
  /** Whether it is a service that sends its spans, and may do nothing else. */
  readonly sendsSpans?: true;
  /** Aborts when the key is revoked or expires; absent for keys that never do. */
  readonly ended?: AbortSignal;
};

/** Answers whose request it is. */
export type Authenticate = (credentials: Credentials) => Promise<Authenticated>;

/** How long a wrong key waits for its answer, so that trying one key after the other is slow. */
const WRONG_KEY_MS = 1_000;
/** How many may wait at a time, each with its connection. */
const WRONG_KEYS_MAX = 1_000;

/**
 * Right keys are let in immediately. A wrong one is answered after a second, or refused as one too many when a thousand wait already.
 *
 * @param keys - None: everyone is let in, as one tenant.
 * @param options.traceKey - Of the services, for their spans; tenants cannot send spans in their name.
 * @param options.managed - Finds the keys that admins have created.
 * @param options.pause - What a wrong key waits for; default one second.
 * @throws {Problem} From the returned function: `unauthorized`, `rate_limited`, `unavailable`.
 */
export function createAuthenticate(
  keys: readonly ApiKey[],
  {
    traceKey,
    managed,
    pause = () => delay(WRONG_KEY_MS),
  }: {
    readonly traceKey?: string | undefined;
    readonly managed?: (sent: string) => Authenticated | undefined;
    readonly pause?: () => Promise<void>;
  } = {},
): Authenticate {
  const traceDigest = traceKey === undefined ? undefined : digestOf(traceKey);
  let waiting = 0;
  const known = keys.flatMap(({ tenant, identity, role, key, entry }) =>
    // An entry may also be sent as it stands in the setting.
    [...new Set([key, entry])].map((accepted) => ({ tenant, identity, role, digest: digestOf(accepted) })),
  );
  return async (credentials) => {
    if (known.length === 0) return { tenant: TENANT_DEFAULT, identity: undefined, role: "admin" };
    const sent = keyOf(credentials);
    if (sent === undefined) {
      throw new Problem("unauthorized", "send a key as `Authorization: Bearer <key>`");
    }
    const digest = digestOf(sent);
    if (credentials.withSpans && traceDigest !== undefined && timingSafeEqual(traceDigest, digest)) {
      return { tenant: "", identity: undefined, role: "submitter", sendsSpans: true };
    }
    // Digests have one length, and every one is compared: the time taken tells nothing.
    const [match] = known.filter((candidate) => timingSafeEqual(candidate.digest, digest));
    if (match !== undefined) return { tenant: match.tenant, identity: match.identity, role: match.role };
    const found = managed?.(sent);
    if (found !== undefined) return found;
    if (waiting >= WRONG_KEYS_MAX) {
      throw new Problem("rate_limited", "too many requests with wrong keys at a time", { retryAfterS: 1 });
    }
    waiting++;
    await pause();
    waiting--;
    throw new Problem("unauthorized", "this key is not known");
  };
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
