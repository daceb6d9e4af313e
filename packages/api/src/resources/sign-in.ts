/** The caller's identity, and how users sign in to the page. */
import { ApprovalDecision, Role } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

export const Caller = z.object({
  tenant: z.string(),
  identity: z.string().optional().meta({
    description: "As recorded with decisions and in the audit log; absent if no credentials are required.",
  }),
  name: z.string().optional().meta({ description: "Display name from the identity provider." }),
  role: Role,
  credential: z.enum(["none", "key", "token", "session"]).meta({
    description:
      "Credential of the request: an API key, a token from the identity provider, or a dashboard session. `none` if no credentials are required.",
  }),
  expiresAt: z.iso.datetime().optional().meta({ description: "When the token or the session expires." }),
  calls: z
    .array(z.string())
    .meta({ description: "Operations that the role permits, by their ids in `/openapi.json`." }),
  decisions: z.array(ApprovalDecision).meta({
    description: "Approval decisions that the role permits. The policy can permit fewer.",
  }),
});
export type Caller = z.output<typeof Caller>;

export const SignInOptions = z.object({
  keys: z.boolean().meta({ description: "Whether the gateway accepts API keys." }),
  oidc: z
    .object({
      issuer: z.string(),
      path: z.string().meta({
        description:
          "Path at which a browser starts the sign-in. Add `?return=/plans/p1` to return to that path afterwards.",
      }),
    })
    .optional()
    .meta({ description: "Absent if users cannot sign in with an identity provider." }),
});
export type SignInOptions = z.output<typeof SignInOptions>;

export const SignedOut = z.object({
  url: z.string().optional().meta({
    description:
      "URL at which the user ends the session with the identity provider; absent if there is none.",
  }),
});
export type SignedOut = z.output<typeof SignedOut>;

const tag = "keys";

export const getMe = defineEndpoint({
  id: "getMe",
  method: "GET",
  path: "/v1/me",
  tag,
  summary: "Get the identity and role of the request",
  responses: { 200: Caller },
  example: {
    response: {
      tenant: "acme",
      identity: "acme/ann@example.com",
      name: "Ann Example",
      role: "viewer",
      credential: "session",
      expiresAt: "2026-01-31T18:00:00.000Z",
      calls: ["listPlans", "getPlan"],
      decisions: [],
    },
  },
});

export const getSignInOptions = defineEndpoint({
  id: "getSignInOptions",
  method: "GET",
  path: "/auth/options",
  tag,
  summary: "Get the sign-in options of the dashboard",
  responses: { 200: SignInOptions },
  example: {
    response: { keys: true, oidc: { issuer: "https://id.example.com", path: "/auth/login" } },
  },
});

export const endSessions = defineEndpoint({
  id: "endSessions",
  method: "DELETE",
  path: "/v1/sessions/:user",
  tag,
  summary: "End all dashboard sessions of a user of the tenant",
  description:
    "Every gateway refuses the sessions that began before, and closes their streams and WebSockets. The user can sign in again unless the identity provider refuses. Keys and access tokens of the user remain valid.",
  params: z.object({
    user: z.string().min(1).max(200).meta({ description: "The identity without `tenant/`." }),
  }),
  responses: { 204: null },
  problems: ["keys_not_set", "not_found", "unavailable"],
});

export const signOut = defineEndpoint({
  id: "signOut",
  method: "POST",
  path: "/auth/logout",
  tag,
  summary: "End the session of this browser",
  responses: { 200: SignedOut },
  example: { response: { url: "https://id.example.com/session/end" } },
});
