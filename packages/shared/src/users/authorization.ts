import { permissionsOf } from "./permissions.ts";
import type { NatsUser } from "./users-folder.ts";

/** A user with a password instead of an nkey and without restrictions, for tests. */
export type PasswordUser = { readonly user: string; readonly password: string };

/**
 * The part of nats-server's configuration that admits these users, each with its allow-lists, and no other client.
 *
 * They belong to the global account, which contains stores from before there were users.
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
