/** Sessions of the page: cookies that hold who has signed in, encrypted, so that every gateway reads those of the others. */
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
  /** Where the page is; only it may change something with a session. */
  readonly origin: string;
  /** Whose session a request's cookies name; undefined for none, or one that has ended. */
  find(cookies: string | undefined): Promise<Authenticated | undefined>;
  /** The `Set-Cookie` header that begins a session. */
  begin(user: User): Promise<string>;
  /** The `Set-Cookie` header that ends it in this browser. */
  readonly end: string;
};

export function createSessions(
  { publicUrl, sessionSecrets, sessionLifeMs }: SignInSettings,
  { now, ends }: { readonly now: () => Date; readonly ends: Ends },
): Sessions {
  const secure = publicUrl.startsWith("https:");
  // The prefix makes browsers refuse it from other hosts of the domain and without TLS.
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
