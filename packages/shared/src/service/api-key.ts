/** The entries of PLANWRIGHT_API_KEYS, as the gateway and the launcher read them. */

/** Whose plans are those of a key without a name, and of everyone where no keys are set. */
export const TENANT_DEFAULT = "default";

export type ApiKey = {
  readonly tenant: string;
  /** Whose key it is: `tenant`, or `tenant/name`. */
  readonly identity: string;
  readonly key: string;
  /** As it stands in the setting. */
  readonly entry: string;
};

/** Reads one entry: `tenant:key`, `tenant/name:key`, or a key alone, which is the default tenant's. */
export function apiKeyOf(entry: string): ApiKey {
  const colon = entry.indexOf(":");
  if (colon === -1) return { tenant: TENANT_DEFAULT, identity: TENANT_DEFAULT, key: entry, entry };
  const identity = entry.slice(0, colon);
  const [tenant = identity] = identity.split("/");
  return { tenant, identity, key: entry.slice(colon + 1), entry };
}
