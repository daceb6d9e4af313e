/** Makes files a data source that plans can query. */
import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { Registry } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { DATA_OWNER, type DataSource } from "@planwright/shared/tools";
import { createHash } from "node:crypto";
import { Problem } from "../http/problem.ts";
import { refuseUnusableFile, type SourceFile, type SourceKind } from "./source-file.ts";

const SHOWN_TIMEOUT_MS = 5_000;
const TYPES = { csv: "text/csv", sqlite: "application/vnd.sqlite3" } as const;

export type RegisterDeps = { readonly artifacts: ArtifactStore; readonly registry: Registry<DataSource> };

export type Registered = {
  readonly source: DataSource;
  /** False when a source of this name and content was there already. */
  readonly changed: boolean;
};

/**
 * Stores the files and announces the source under its name, in place of what had the name before. Resolves when
 * this gateway accepts submissions that name it.
 *
 * @throws {Problem} `invalid_data`, `body_too_large`, `source_configured`
 */
export async function registerSource(
  { name, kind, files }: { name: string; kind: SourceKind; files: readonly SourceFile[] },
  { artifacts, registry }: RegisterDeps,
): Promise<Registered> {
  for (const file of files) refuseUnusableFile(kind, file);
  const known = registry.entries().get(name);
  if (known?.local !== undefined) {
    throw new Problem("source_configured", `${name} lies on an executor's machine: choose another name`);
  }
  const described = files.map(({ fileName, content }) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    return {
      fileName,
      artifact: `${name}/${sha256.slice(0, 16)}/${fileName}`,
      bytes: content.byteLength,
      sha256,
    };
  });
  const source: DataSource = { name, kind, files: described };
  if (known !== undefined && isSame(known, source)) return { source: known, changed: false };

  for (const [index, { artifact }] of described.entries()) {
    const content = files[index]?.content;
    if (content !== undefined) await artifacts.put(DATA_OWNER, artifact, content, TYPES[kind]);
  }
  await registry.put(name, source);
  await shown(registry, source);
  return { source, changed: true };
}

async function shown(registry: Registry<DataSource>, source: DataSource): Promise<void> {
  try {
    await registry.until((entries) => {
      const entry = entries.get(source.name);
      return entry !== undefined && isSame(entry, source);
    }, AbortSignal.timeout(SHOWN_TIMEOUT_MS));
  } catch (cause) {
    throw new TransientError(`source ${source.name} is stored, but has not been announced yet`, { cause });
  }
}

function isSame(left: DataSource, right: DataSource): boolean {
  const contents = ({ kind, files }: DataSource): string =>
    JSON.stringify([kind, files.map(({ fileName, sha256 }) => [fileName, sha256])]);
  return contents(left) === contents(right);
}
