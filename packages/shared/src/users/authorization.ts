import { permissionsOf } from "./permissions.ts";
import type { NatsUser } from "./users-folder.ts";

/** A user with a password instead of an nkey, for whom everything is permitted: tests log in so. */
export type PasswordUser = { readonly user: string; readonly password: string };

/**
 * The part of nats-server's configuration that lets these users in, each with its allow-lists, and no other client.
 *
 * They belong to the global account, in which a store from before there were users is found.
 */
export function authorizationOf(
  users: readonly Pick<NatsUser, "role" | "publicKey">[],
  more: readonly PasswordUser[] = [],
): { readonly authorization: { readonly users: readonly object[] } } {
  const named = users.map(({ role, publicKey }) => ({
    nkey: publicKey,
    permissions: permissionsOf(role, publicKey),
  }));
  return { authorization: { users: [...named, ...more] } };
}
