/** Managed keys: admins create, list and revoke them. They exist in addition to those of PLANWRIGHT_API_KEYS. */
import { Role } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

const KeyName = z.string().regex(/^[\w-]{1,64}$/, "wanted 1 to 64 letters, digits, _ or -");

export const KeyInfo = z.object({
  id: z.string().meta({ description: "Part of the key. It is not secret." }),
  identity: z.string().meta({
    description:
      "`tenant/name`, as recorded with decisions. Several keys can have the same name, such as an old key and its successor.",
  }),
  role: Role,
  createdAt: z.iso.datetime(),
  createdBy: z.string().meta({ description: "The identity of the admin." }),
  lastUsedAt: z.iso
    .datetime()
    .optional()
    .meta({ description: "Accurate to the hour; absent before the first use." }),
  expiresAt: z.iso.datetime().optional().meta({ description: "The key is rejected from this time on." }),
});
export type KeyInfo = z.output<typeof KeyInfo>;

export const KeyList = z.object({
  keys: z
    .array(KeyInfo)
    .meta({ description: "The tenant's managed keys, including expired ones; newest first." }),
  configured: z.array(z.object({ identity: z.string(), role: Role })).meta({
    description:
      "The tenant's keys in PLANWRIGHT_API_KEYS, which only the operator of the gateway can change.",
  }),
});
export type KeyList = z.output<typeof KeyList>;

export const CreateKeyBody = z.strictObject({
  name: KeyName.meta({ description: "Name of the key's owner. The identity is `tenant/name`." }),
  role: Role,
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: "When the key expires. Default: never." }),
});
export type CreateKeyBody = z.output<typeof CreateKeyBody>;

export const CreatedKey = KeyInfo.extend({
  key: z
    .string()
    .meta({ description: "The key. It is shown only in this response; the gateway stores a hash." }),
});
export type CreatedKey = z.output<typeof CreatedKey>;

const KeyPath = z.object({ id: z.string().min(1).max(64) });
const tag = "keys";
const EXAMPLE_KEY = {
  id: "1f2e3d4c5b6a",
  identity: "acme/ann",
  role: "approver",
  createdAt: "2026-01-31T10:00:00.000Z",
  createdBy: "acme/boss",
} as const;

export const listKeys = defineEndpoint({
  id: "listKeys",
  method: "GET",
  path: "/v1/keys",
  tag,
  summary: "List the tenant's keys",
  responses: { 200: KeyList },
  problems: ["keys_not_set"],
  example: {
    response: {
      keys: [{ ...EXAMPLE_KEY, lastUsedAt: "2026-02-01T09:00:00.000Z" }],
      configured: [{ identity: "acme/boss", role: "admin" }],
    },
  },
});

export const createKey = defineEndpoint({
  id: "createKey",
  method: "POST",
  path: "/v1/keys",
  tag,
  summary: "Create a key for the tenant",
  description: "The key is shown only in this response.",
  body: CreateKeyBody,
  responses: { 201: CreatedKey },
  problems: ["keys_not_set", "key_limit_reached"],
  example: {
    body: { name: "ann", role: "approver" },
    response: { ...EXAMPLE_KEY, key: "pw_1f2e3d4c5b6a_…" },
  },
});

export const revokeKey = defineEndpoint({
  id: "revokeKey",
  method: "DELETE",
  path: "/v1/keys/:id",
  tag,
  summary: "Revoke a key of the tenant",
  description: "Every gateway rejects the key from then on, and closes its streams and WebSockets.",
  params: KeyPath,
  responses: { 204: null },
  problems: ["keys_not_set", "key_not_found"],
});
