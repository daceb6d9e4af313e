/** Assembles access tokens and sign-ins from the settings of the identity provider. */
import type { Bus } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import type { RandomBytes } from "@planwright/shared/telemetry";
import type { Authenticated } from "../http/authenticate.ts";
import { type Attempts, createAttempts } from "./attempts.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { openEndedSessions } from "./ended-sessions.ts";
import { createEnds } from "./ends.ts";
import { createIdentityProvider } from "./identity-provider.ts";
import type { OidcSettings } from "./oidc-config.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSignInFlow, type SignInFlow } from "./sign-in-flow.ts";
import { createUseToken } from "./use-tokens.ts";

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
  // A failure is logged by the reading, and the next request tries again.
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
