/** Sign-in attempts. Each has its own cookie, so that several tabs can sign in at the same time. */
import { createHash } from "node:crypto";
import { cookieHeader, readCookies } from "./cookies.ts";
import type { SignInSettings } from "./oidc-config.ts";
import { createSealing, openAs } from "./sealed.ts";
import { Attempt } from "./sign-in-flow.ts";

const LIFE_S = 600;
/** Above this number a browser's earlier attempts are dropped, because request headers have a size limit. */
const ATTEMPTS_MAX = 5;
const ID_CHARS = 16;
const PATH = "/auth/";

export type Attempts = {
  /** Returns the `Set-Cookie` headers that store an attempt in the browser. @param cookies - The `Cookie` header of the request. */
  keep(attempt: Attempt, cookies: string | undefined): Promise<string[]>;
  /** Returns the attempt with this `state` and the header that removes its cookie; undefined when this browser did not make it. */
  take(
    state: string,
    cookies: string | undefined,
  ): Promise<{ readonly attempt: Attempt; readonly forget: string } | undefined>;
};

export function createAttempts(
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
