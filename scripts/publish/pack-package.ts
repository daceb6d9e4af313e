import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { buildLibrary } from "./build-library.ts";
import { buildSystem } from "./build-system.ts";
import { publishedManifest } from "./published-manifest.ts";
import type { PublishedPackage } from "./published-packages.ts";

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 16 * 1_024 * 1_024;

const Packed = z
  .array(
    z.object({
      filename: z.string(),
      size: z.number(),
      unpackedSize: z.number(),
      files: z.array(z.object({ path: z.string() })),
    }),
  )
  .length(1);

export type PackedPackage = {
  readonly name: string;
  readonly version: string;
  /** The folder that was packed. */
  readonly folder: string;
  readonly tarball: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  /** Paths inside of the tarball, without `package/`. */
  readonly files: readonly string[];
};

/**
 * Builds a package into `<into>/<folder>` and packs it beside that, as `npm publish` would.
 *
 * @throws {Error} When it does not build, or npm cannot pack it.
 */
export async function packPackage(
  published: PublishedPackage,
  { root, into, signal }: { readonly root: string; readonly into: string; readonly signal: AbortSignal },
): Promise<PackedPackage> {
  const folder = path.join(into, path.basename(published.folder));
  const dist = path.join(folder, "dist");
  await rm(folder, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  if (published.kind === "library") await buildLibrary(published, { root, outDir: dist });
  else await buildSystem(published, { root, outDir: dist, signal });
  const source = path.join(root, published.folder);
  await cp(path.join(source, "README.md"), path.join(folder, "README.md"));
  await cp(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  if (published.kind === "system")
    await cp(path.join(source, "bin"), path.join(folder, "bin"), { recursive: true });
  const manifest = await publishedManifest(published, { root, dist });
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
  const { stdout } = await run("npm", args, { cwd: folder, maxBuffer: OUTPUT_BYTES_MAX, signal });
  const [packed] = Packed.parse(JSON.parse(stdout));
  if (packed === undefined) throw new Error(`npm packed no files of ${published.name}`);
  return {
    name: published.name,
    version: String(manifest["version"]),
    folder,
    tarball: path.join(into, packed.filename),
    bytes: packed.size,
    unpackedBytes: packed.unpackedSize,
    files: packed.files.map((file) => file.path),
  };
}
