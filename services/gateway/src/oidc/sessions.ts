/** Sessions of the page: encrypted cookies that hold the user. Every gateway with the same secret can read them. */
import { Role } from "@planwright/plan";
import type { RandomBytes } from "@planwright/shared/telemetry";
import { z } from "zod";
import type { Authenticated } from "../http/authenticate.ts";
import type { User } from "./caller-of.ts";
import { cookieHeader, readCookies } from "./cookies.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import type { Ends } from "./ends.ts";
import type { SignInSettings } from "./oidc-config.ts";
import { createSealing, openAs } from "./sealed.ts";

const ID_BYTES = 16;

const SessionUser = z.object({
  /** Of the session, so that it can be ended. */
  id: z.string().min(1),
  tenant: z.string(),
  identity: z.string(),
  role: Role,
  name: z.string().optional(),
  /** When it began, in milliseconds; absent in sessions of earlier versions. */
  at: z.number().optional(),
});

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
