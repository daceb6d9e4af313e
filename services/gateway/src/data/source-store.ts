/** Keeps the data sources that plans can query: their files as artifacts, their entries in the registry. */
import { PlanId } from "@planwright/plan";
import { type ArtifactStore, ARTIFACT_BYTES_MAX } from "@planwright/shared/artifacts";
import type { Registry } from "@planwright/shared/bus";
import { describeError, TransientError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import type { RandomBytes } from "@planwright/shared/telemetry";
import { DATA_OWNER, type DataSource, isInstalled, sourceKey } from "@planwright/shared/tools";
import { createHash } from "node:crypto";
import { Problem } from "../http/problem.ts";

/** The prefix of the ids of stores that hold the files of sources. */
export const UPLOAD_STORE = "data-";
const STORE_ID_BYTES = 16;
const SHOWN_TIMEOUT_MS = 5_000;
const TYPES = { csv: "text/csv", sqlite: "application/vnd.sqlite3" } as const;

export type SourceStoreDeps = {
  readonly artifacts: ArtifactStore;
  readonly registry: Registry<DataSource>;
  /** The limits of one tenant's uploads. */
  readonly limits: { readonly sources: number; readonly bytes: number };
  readonly random: RandomBytes;
  readonly log: Logger;
};

type NewSource = {
  /** The owner of the upload; null for the installation's own sources. */
  readonly tenant: string | null;
  readonly name: string;
  readonly kind: SourceKind;
  readonly files: readonly SourceFile[];
};

export type Registered = {
  readonly source: DataSource;
  /** False when the owner already had a source with this name and content. */
  readonly changed: boolean;
};

export type SourceStore = {
  /**
   * Stores the files and registers the source under its name, replacing the owner's earlier source of that name. Resolves when
   * this gateway accepts submissions that name it.
   *
   * @throws {Problem} `invalid_data`, `body_too_large`, `source_configured`, `data_limit_reached`
   */
  put(source: NewSource): Promise<Registered>;
  /** Removes a source and its files. Resolves when this gateway refuses submissions that name it. */
  remove(source: DataSource): Promise<void>;
};

export function createSourceStore({
  artifacts,
  registry,
  limits,
  random,
  log,
}: SourceStoreDeps): SourceStore {
  const inTurn = createTurns();

  const removeFiles = async ({ store, files }: DataSource): Promise<void> => {
    if (store !== undefined) return artifacts.removeAll(store);
    const others = [...registry.entries().values()].filter((one) => one.store === undefined);
    const inUse = new Set(others.flatMap((one) => one.files.map(({ artifact }) => artifact)));
    for (const { artifact } of files) {
      if (!inUse.has(artifact)) await artifacts.remove(DATA_OWNER, artifact);
    }
  };

  const put = async ({ tenant, name, kind, files }: NewSource): Promise<Registered> => {
    const known = registry.entries().get(sourceKey({ name, tenant }));
    refuseInstalledName(name, tenant, registry.entries());
    // A separate store, so that removing one version or source never takes a file from another.
    const store = PlanId.parse(`${UPLOAD_STORE}${Buffer.from(random(STORE_ID_BYTES)).toString("hex")}`);
    const described = files.map(({ fileName, content }) => {
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { fileName, artifact: fileName, bytes: content.byteLength, sha256 };
    });
    const source: DataSource = { name, tenant, kind, files: described, store };
    if (known !== undefined && isSame(known, source)) return { source: known, changed: false };
    if (tenant !== null) refuseBeyondLimits(source, { tenant, limits, entries: registry.entries() });

    for (const [index, { artifact }] of described.entries()) {
      const content = files[index]?.content;
      if (content !== undefined) await artifacts.put(store, artifact, content, TYPES[kind]);
    }
    const key = sourceKey(source);
    await registry.put(key, source);
    await shown(registry, key, (entry) => entry !== undefined && isSame(entry, source));
    if (known !== undefined) {
      await removeFiles(known).catch((error: unknown) => {
        log.warn({ source: name, reason: describeError(error) }, "replaced files could not be removed");
      });
    }
    return { source, changed: true };
  };

  return {
    async put(source) {
      for (const file of source.files) refuseUnusableFile(source.kind, file);
      return inTurn(source.tenant ?? "", () => put(source));
    },
    remove: (source) =>
      inTurn(source.tenant ?? "", async () => {
        const key = sourceKey(source);
        // Another upload may have replaced it while this one was waiting for its turn.
        const current = registry.entries().get(key);
        if (current === undefined) return;
        await registry.remove(key);
        await shown(registry, key, (entry) => entry === undefined);
        await removeFiles(current);
      }),
  };
}

/** Runs the changes of one owner one after another, so that they see each other's results. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(owner: string, change: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(owner) ?? Promise.resolve()).then(change, change);
    last.set(owner, turn);
    try {
      return await turn;
    } finally {
      if (last.get(owner) === turn) last.delete(owner);
    }
  };
}

function refuseInstalledName(
  name: string,
  tenant: string | null,
  entries: ReadonlyMap<string, DataSource>,
): void {
  const installed = entries.get(name);
  if (installed === undefined || !isInstalled(installed)) return;
  // The gateway's folder replaces its own sources, but not those of the executors' configuration.
  if (tenant === null && installed.local === undefined) return;
  throw new Problem(
    "source_configured",
    `${name} is a data source of the installation, which uploads cannot replace: choose another name`,
  );
}

function refuseBeyondLimits(
  source: DataSource,
  {
    tenant,
    limits,
    entries,
  }: { readonly tenant: string } & Pick<SourceStoreDeps, "limits"> & {
      readonly entries: ReadonlyMap<string, DataSource>;
    },
): void {
  const others = [...entries.values()].filter((one) => one.tenant === tenant && one.name !== source.name);
  const bytes = [...others, source].flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
  if (others.length < limits.sources && bytes <= limits.bytes) return;
  throw new Problem(
    "data_limit_reached",
    others.length >= limits.sources
      ? `wanted at most ${limits.sources} uploaded sources (UPLOADS_PER_TENANT_MAX): delete one first`
      : `wanted at most ${limits.bytes} bytes of uploads in total (UPLOAD_BYTES_PER_TENANT_MAX), got ${bytes}: delete a source first`,
  );
}

async function shown(
  registry: Registry<DataSource>,
  key: string,
  isShown: (entry: DataSource | undefined) => boolean,
): Promise<void> {
  try {
    await registry.until((entries) => isShown(entries.get(key)), AbortSignal.timeout(SHOWN_TIMEOUT_MS));
  } catch (cause) {
    throw new TransientError(`the change of source ${key} is stored, but has not been announced yet`, {
      cause,
    });
  }
}

function isSame(left: DataSource, right: DataSource): boolean {
  const contents = ({ tenant, kind, files }: DataSource): string =>
    JSON.stringify([
      tenant === undefined,
      tenant,
      kind,
      files.map(({ fileName, sha256 }) => [fileName, sha256]),
    ]);
  return contents(left) === contents(right);
}

export type SourceKind = DataSource["kind"];
export type SourceFile = { readonly fileName: string; readonly content: Uint8Array };

const SQLITE_MAGIC = "SQLite format 3\0";

/**
 * Refuses files that are obviously not of the declared kind; readers check further.
 *
 * @throws {Problem} `invalid_data`, `body_too_large`
 */
export function refuseUnusableFile(kind: SourceKind, { fileName, content }: SourceFile): void {
  const start = Buffer.from(content.subarray(0, SQLITE_MAGIC.length)).toString("latin1");
  if (content.byteLength > ARTIFACT_BYTES_MAX) {
    throw new Problem("body_too_large", `${fileName}: wanted at most ${ARTIFACT_BYTES_MAX} bytes`);
  }
  if (content.byteLength === 0) throw new Problem("invalid_data", `${fileName} is empty`);
  if (kind === "sqlite" && start !== SQLITE_MAGIC) {
    throw new Problem("invalid_data", `${fileName}: wanted a SQLite 3 database, got something else`);
  }
  if (kind === "csv" && content.includes(0)) {
    throw new Problem("invalid_data", `${fileName}: wanted CSV as text, got a binary file`);
  }
}
