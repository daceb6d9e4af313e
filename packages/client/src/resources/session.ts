/** The client's identity, and how users sign in to the dashboard. */
import type { Caller, SignedOut, SignInOptions } from "@planwright/api";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";

export type SessionApi = {
  /** The identity and role of the client's key, token or session, and the role's permissions. */
  get(options?: RequestOptions): Promise<Caller>;
  /** How users sign in to the dashboard; needs no credentials. */
  signInOptions(options?: RequestOptions): Promise<SignInOptions>;
  /** Ends the session of this browser. Keys and tokens are not affected. */
  signOut(options?: RequestOptions): Promise<SignedOut>;
  /**
   * Ends all dashboard sessions of a user of the tenant; needs the role `admin`.
   *
   * @param user - The identity without `tenant/`.
   */
  endAllOf(user: string, options?: RequestOptions): Promise<void>;
};

export function sessionOf(transport: Transport): SessionApi {
  return {
    get: (options) => transport.json("getMe", options),
    signInOptions: (options) => transport.json("getSignInOptions", options),
    signOut: (options) => transport.json("signOut", options),
    endAllOf: async (user, options) =>
      void (await transport.text("endSessions", { ...options, params: { user } })),
  };
}
