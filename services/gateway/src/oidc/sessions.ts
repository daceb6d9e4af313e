/** Sessions of the page: encrypted cookies that hold the user. Every gateway with the same secret can read them. */
import { Role } from "@planwright/plan";
import { z } from "zod";
import type { Authenticated } from "../http/authenticate.ts";
import type { User } from "./caller-of.ts";
import { cookieHeader, readCookies } from "./cookies.ts";
import type { Ends } from "./ends.ts";
import type { SignInSettings } from "./oidc-config.ts";
import { createSealing, openAs } from "./sealed.ts";

const SessionUser = z.object({
  tenant: z.string(),
  identity: z.string(),
  role: Role,
  name: z.string().optional(),
});

export type Sessions = {
  /** The origin of the page, the only one from which a session may change something. */
  readonly origin: string;
  /** Returns the user of the session in a `Cookie` header; undefined without a session, or when it has expired. */
  find(cookies: string | undefined): Promise<Authenticated | undefined>;
  /** Returns the `Set-Cookie` header that starts a session. */
  begin(user: User): Promise<string>;
  /** The `Set-Cookie` header that ends it in this browser. */
  readonly end: string;
};

export function createSessions(
  { publicUrl, sessionSecrets, sessionLifeMs }: SignInSettings,
  { now, ends }: { readonly now: () => Date; readonly ends: Ends },
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
      const { name: shown, ...user } = value;
      const named = shown === undefined ? user : { ...user, name: shown };
      return { ...named, credential: "session", expiresAt, ended: ends.at(expiresAt) };
    },
    async begin(user) {
      const sealed = await sealing.seal(user, new Date(now().getTime() + sessionLifeMs));
      return cookie(sealed, Math.floor(sessionLifeMs / 1_000));
    },
    end: cookie("", 0),
  };
}
