import { Role, ROLE_DEFAULT } from "@planwright/plan";

/** The entries of PLANWRIGHT_API_KEYS, as the gateway and the launcher read them. */

/** The tenant of a key without a name, and of all plans when no keys are set. */
export const TENANT_DEFAULT = "default";

export type ApiKey = {
  readonly tenant: string;
  /** The owner of the key: `tenant`, or `tenant/name`. */
  readonly identity: string;
  /** The role of the key. */
  readonly role: Role;
  readonly key: string;
  /** The entry in the setting. */
  readonly entry: string;
};

/**
 * Parses one entry: a bare key, which belongs to the default tenant, or `owner:key`. The owner is `tenant` or `tenant/name`,
 * followed by `@role` if its role is not {@link ROLE_DEFAULT}.
 * An unknown role, with which the gateway does not start, is read as viewer.
 */
export function apiKeyOf(entry: string): ApiKey {
  const colon = entry.indexOf(":");
  if (colon === -1)
    return { tenant: TENANT_DEFAULT, identity: TENANT_DEFAULT, role: ROLE_DEFAULT, key: entry, entry };
  const [identity = "", named] = entry.slice(0, colon).split("@");
  const role = named === undefined ? ROLE_DEFAULT : Role.catch("viewer").parse(named);
  const [tenant = identity] = identity.split("/");
  return { tenant, identity, role, key: entry.slice(colon + 1), entry };
}
