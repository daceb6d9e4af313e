/** The owners of usage: a tenant, and one of its keys. */
import type { Caller } from "../http/authenticate.ts";

export type Owner = Pick<Caller, "tenant" | "identity">;

/** The tenant, shared by all its keys; and the key, where there are keys. */
export function ownersOf({ tenant, identity }: Owner): readonly string[] {
  return identity === undefined ? [tenantOwner(tenant)] : [tenantOwner(tenant), keyOwner(identity)];
}

/** A key without a name has its tenant's name as its identity; this keeps the two apart. */
export function tenantOwner(tenant: string): string {
  return `tenant ${tenant}`;
}

export function keyOwner(identity: string): string {
  return `key ${identity}`;
}
