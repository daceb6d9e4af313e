/**
 * The keys that admins create: kept in a NATS bucket that every gateway follows.
 *
 * Invariants:
 *   KEYS-1. A gateway that knows of a revocation refuses the key; one that may not know of it admits no managed keys at all: a
 *           gateway that is cut off from NATS, or could not read the bucket for a minute, refuses all of them.
 *   KEYS-2. Connections opened with a key end when the key does.
 *   KEYS-3. A revoked key never returns: a record of its use is stored only if the key's record is unchanged since it was read,
 *           and changes of a revoked key are ignored.
 */
import { parseJson } from "@planwright/plan";
import type { CreateKeyBody } from "@planwright/api";
import {
  type Bucket,
  type Bus,
  type Change,
  followBucket,
  openBucket,
  BUCKETS,
} from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import type { RandomBytes } from "@planwright/shared/telemetry";
import type { Authenticated } from "../http/authenticate.ts";
import { Problem } from "../http/problem.ts";
import { watchFreshness } from "./freshness.ts";
import { idOfKey, isExpired, isKeyOf, KeyRecord, newKey } from "./key-record.ts";

const PER_TENANT_MAX = 100;
/** Every gateway keeps all keys in memory. */
const KEYS_MAX = 900;
const SWEEP_MS = 1_000;
const HOUR_MS = 3_600_000;

export type ManagedKeys = AsyncDisposable & {
  /**
   * The caller that the key belongs to; undefined when it is not a managed key, or has expired.
   *
   * @throws {Problem} `unavailable` when it may have been revoked without this gateway knowing.
   */
  find(sent: string): Authenticated | undefined;
  /** Newest first. */
  list(tenant: string): KeyRecord[];
  /** All identities with their roles. */
  owners(): Pick<KeyRecord, "identity" | "role">[];
  /** @throws {Problem} `key_limit_reached`, `invalid_request` */
  create(
    owner: { tenant: string; by: string },
    body: CreateKeyBody,
  ): Promise<{ record: KeyRecord; key: string }>;
  /** @throws {Problem} `key_not_found`, also for another tenant's key. */
  revoke(tenant: string, id: string): Promise<KeyRecord>;
};

type Deps = {
  readonly log: Logger;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  readonly random: RandomBytes;
};

export async function openManagedKeys(bus: Bus, deps: Deps): Promise<ManagedKeys> {
  const { log, now, random } = deps;
  const bucket = await openBucket(bus, BUCKETS.keys);
  const records = new Map<string, KeyRecord>();
  const ends = new Map<string, AbortController>();
  const forget = (id: string): void => {
    records.delete(id);
    end(ends, id);
  };
  /** Ids are never reused. A change is delivered even when the store has refused it, as with a late record of use. */
  const revoked = new Set<string>();
  const apply = ({ key: id, headers, data }: Change): void => {
    if (isRemoval(headers)) revoked.add(id);
    const parsed = revoked.has(id) ? undefined : storedRecord(Buffer.from(data).toString());
    if (parsed?.id === id) records.set(id, parsed);
    else forget(id);
  };
  const freshness = watchFreshness(bus, deps.monotonicMs, "whether this key was revoked");
  const following = await followBucket(bus, {
    bucket: BUCKETS.keys,
    log,
    onChanges(changes, isWhole) {
      const present = new Set(changes.map(({ key }) => key));
      for (const id of isWhole ? [...records.keys()] : []) if (!present.has(id)) forget(id);
      for (const change of changes) apply(change);
      if (isWhole) freshness.renew();
    },
  });
  const sweep = setInterval(() => {
    for (const record of records.values()) if (isExpired(record, now())) end(ends, record.id);
  }, SWEEP_MS).unref();
  const noteUse = createNoteUse(bucket, deps);

  return {
    find(sent) {
      const id = idOfKey(sent);
      const record = id === undefined ? undefined : records.get(id);
      if (record === undefined || !isKeyOf(sent, record) || isExpired(record, now())) return undefined;
      freshness.require();
      noteUse(record);
      const { tenant, identity, role } = record;
      const ending = ends.get(record.id) ?? new AbortController();
      ends.set(record.id, ending);
      return { tenant, identity, role, ended: ending.signal };
    },
    list: (tenant) => newestFirst([...records.values()].filter((record) => record.tenant === tenant)),
    owners: () => [...records.values()].map(({ identity, role }) => ({ identity, role })),
    async create({ tenant, by }, body) {
      refuseTooMany(records, tenant);
      const { record, key } = recordOf({ tenant, by, body, now: now(), random });
      const revision = await bucket.write(record.id, JSON.stringify(record), { expect: 0 });
      if (revision === undefined)
        throw new Problem("unavailable", "the key's ID is already in use; try again");
      records.set(record.id, record);
      return { record, key };
    },
    async revoke(tenant, id) {
      const record = records.get(id);
      if (record?.tenant !== tenant)
        throw new Problem("key_not_found", `unknown managed key ${JSON.stringify(id)}`);
      await bucket.remove(id);
      revoked.add(id);
      forget(id);
      return record;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweep);
      freshness[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

function newestFirst(records: readonly KeyRecord[]): KeyRecord[] {
  return records.toSorted((left, right) => right.createdAt.localeCompare(left.createdAt));
}

function end(ends: Map<string, AbortController>, id: string): void {
  ends.get(id)?.abort(new Problem("unauthorized", "this key was revoked or has expired"));
  ends.delete(id);
}

/** Records that a key was used, once an hour per key. */
function createNoteUse(bucket: Bucket, { log, now }: Deps): (record: KeyRecord) => void {
  const writing = new Set<string>();
  const write = async (id: string, lastUsedAt: string): Promise<void> => {
    const entry = await bucket.get(id);
    const stored = storedRecord(entry?.value ?? "");
    if (entry === undefined || stored === undefined || stored.lastUsedAt === lastUsedAt) return;
    await bucket.write(id, JSON.stringify({ ...stored, lastUsedAt }), { expect: entry.revision });
  };
  return ({ id, lastUsedAt }) => {
    const hour = new Date(Math.floor(now().getTime() / HOUR_MS) * HOUR_MS).toISOString();
    if (lastUsedAt === hour || writing.has(id)) return;
    writing.add(id);
    write(id, hour)
      .catch((error: unknown) =>
        log.warn({ key: id, reason: describeError(error) }, "could not record the use of a key"),
      )
      .finally(() => writing.delete(id));
  };
}

function recordOf({
  tenant,
  by,
  body: { name, role, expiresAt },
  now,
  random,
}: {
  readonly tenant: string;
  readonly by: string;
  readonly body: CreateKeyBody;
  readonly now: Date;
  readonly random: RandomBytes;
}): { record: KeyRecord; key: string } {
  const expiry = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
  if (isExpired(expiry, now)) {
    const message = `wanted a time in the future, got ${expiresAt}`;
    const issues = [{ field: "expiresAt", message }];
    throw new Problem("invalid_request", `expiresAt: ${message}`, { issues });
  }
  const { id, key, hash } = newKey(random);
  const identity = `${tenant}/${name}`;
  const record = { id, tenant, identity, role, hash, createdAt: now.toISOString(), createdBy: by, ...expiry };
  return { record, key };
}

function refuseTooMany(records: ReadonlyMap<string, KeyRecord>, tenant: string): void {
  const own = [...records.values()].filter((record) => record.tenant === tenant).length;
  if (own < PER_TENANT_MAX && records.size < KEYS_MAX) return;
  const limit =
    own < PER_TENANT_MAX ? `the installation has ${KEYS_MAX}` : `the tenant ${tenant} has ${PER_TENANT_MAX}`;
  throw new Problem(
    "key_limit_reached",
    `${limit} managed keys, which is the limit: revoke keys that are no longer used`,
  );
}

function isRemoval(headers: Change["headers"]): boolean {
  return (headers?.get("KV-Operation") ?? "") !== "" || (headers?.get("Nats-Marker-Reason") ?? "") !== "";
}

function storedRecord(text: string): KeyRecord | undefined {
  return KeyRecord.safeParse(parseJson(text)).data;
}
