/** Whose use is counted: a tenant's, or that of one of its keys. */
import type { Caller } from "../http/authenticate.ts";

export type Owner = Pick<Caller, "tenant" | "identity">;

/** A tenant, whichever of its keys; and its key, where there are keys. */
export function ownersOf({ tenant, identity }: Owner): readonly string[] {
  return identity === undefined ? [tenantOwner(tenant)] : [tenantOwner(tenant), keyOwner(identity)];
}

/** A key without a name has its tenant's name as its identity: the two must not be one. */
export function tenantOwner(tenant: string): string {
  return `tenant ${tenant}`;
}

export function keyOwner(identity: string): string {
  return `key ${identity}`;
}
