/** Removes the files of uploads interrupted by a crash: files are stored before the entry that names them. */
import { PlanId } from "@planwright/plan";
import {
  type ArtifactStore,
  findStored,
  lastStoredAt,
  removeLoosePieces,
} from "@planwright/shared/artifacts";
import { type Bus, BUCKETS, bucketStream, readLastOfEach } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { UPLOAD_STORE } from "./source-store.ts";

/** Longer than any upload takes, and than the clocks of two machines differ. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;
const SWEEP_MS = 6 * 3_600_000;
/** The maximum number of uploads, and of large contents, removed by one sweep. */
const REMOVED_MAX = 100;
/** Excludes the store of earlier versions, which their sources share. */
const STORE = new RegExp(`\\b${UPLOAD_STORE}[0-9a-f]{32}\\b`, "g");

type SweepDeps = {
  readonly bus: Bus;
  readonly artifacts: Pick<ArtifactStore, "removeAll">;
  readonly now: () => Date;
  readonly log: Logger;
};

/** Removes files that belong to no data source and were stored more than a day ago. */
export async function sweepUploads({ bus, artifacts, now, log }: SweepDeps): Promise<void> {
  const before = new Date(now().getTime() - ABANDONED_AFTER_MS);
  // Lists the stores first: an upload that finishes meanwhile has its entry by the time the entries are read.
  const stores = await findStored(bus, UPLOAD_STORE);
  const used = await usedStores(bus);
  let uploads = 0;
  for (const [store, stored] of stores) {
    if (used.has(store) || store.match(STORE)?.[0] !== store) continue;
    const storedAt = await lastStoredAt(bus, stored);
    if (storedAt === undefined || storedAt >= before) continue;
    if (uploads === REMOVED_MAX) break;
    await artifacts.removeAll(PlanId.parse(store));
    uploads += 1;
  }
  const contents = await removeLoosePieces(bus, { before, max: REMOVED_MAX });
  if (uploads + contents > 0) log.info({ uploads, contents }, "interrupted uploads removed");
}

/** Sweeps now and every six hours. If a sweep fails, the next one catches up. */
export function startUploadSweep(deps: SweepDeps): Disposable {
  let isStopped = false;
  const sweep = (): void => {
    sweepUploads(deps).catch((error: unknown) => {
      if (isStopped) return;
      deps.log.warn({ reason: describeError(error) }, "interrupted uploads cannot be removed yet");
    });
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_MS).unref();
  return {
    [Symbol.dispose]() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Every store named by an entry, including entries that this version cannot read. */
async function usedStores(bus: Bus): Promise<ReadonlySet<string>> {
  const bucket = BUCKETS.sources;
  const entries = await readLastOfEach(bus, bucketStream(bucket), [`$KV.${bucket}.>`]);
  return new Set(entries.flatMap((entry) => entry.string().match(STORE) ?? []));
}
