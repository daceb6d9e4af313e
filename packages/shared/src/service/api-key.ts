import { Role, ROLE_DEFAULT } from "@planwright/plan";

/** The entries of PLANWRIGHT_API_KEYS, as the gateway and the launcher read them. */

/** Whose plans are those of a key without a name, and of everyone where no keys are set. */
export const TENANT_DEFAULT = "default";

export type ApiKey = {
  readonly tenant: string;
  /** Whose key it is: `tenant`, or `tenant/name`. */
  readonly identity: string;
  /** What it may do. */
  readonly role: Role;
  readonly key: string;
  /** As in the setting. */
  readonly entry: string;
};

/**
 * Reads one entry: a key alone, which is the default tenant's, or `owner:key`. The owner is `tenant` or `tenant/name`, each with
 * `@role` behind it where it has another role than {@link ROLE_DEFAULT}.
 * A role that does not exist, with which the gateway does not start, is read as viewer.
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
