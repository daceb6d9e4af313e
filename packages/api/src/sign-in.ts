/** Who asks, and how users sign in to the page. */
import { ApprovalDecision, Role } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

export const Caller = z.object({
  tenant: z.string(),
  identity: z.string().optional().meta({
    description: "As decisions and the audit log record it; absent where no credentials are needed.",
  }),
  name: z
    .string()
    .optional()
    .meta({ description: "The name that the identity provider gives, for display only." }),
  role: Role,
  credential: z.enum(["none", "key", "token", "session"]).meta({
    description:
      "What the request came with: an API key, a token of the identity provider, or a session of the page; `none` where none is needed.",
  }),
  expiresAt: z.iso.datetime().optional().meta({ description: "When the token or the session expires." }),
  calls: z
    .array(z.string())
    .meta({ description: "The calls that the role permits, by their ids in `/openapi.json`." }),
  decisions: z.array(ApprovalDecision).meta({
    description: "The decisions about approvals that the role permits; the policy may permit fewer.",
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
          "Where a browser begins to sign in. `?return=/plans/p1` names the path of the page to return to.",
      }),
    })
    .optional()
    .meta({ description: "Absent where users cannot sign in with an identity provider." }),
});
export type SignInOptions = z.output<typeof SignInOptions>;

export const SignedOut = z.object({
  url: z.string().optional().meta({
    description:
      "Where the user ends the session with the identity provider; absent where there is no such page.",
  }),
});
export type SignedOut = z.output<typeof SignedOut>;

const tag = "keys";

export const getMe = defineEndpoint({
  id: "getMe",
  method: "GET",
  path: "/v1/me",
  tag,
  summary: "Get the identity and the role of the request",
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
  summary: "Get how users sign in to the page",
  responses: { 200: SignInOptions },
  example: {
    response: { keys: true, oidc: { issuer: "https://id.example.com", path: "/auth/login" } },
  },
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
