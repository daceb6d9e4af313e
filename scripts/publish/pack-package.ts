import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile, glob, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { buildSystem } from "./build-system.ts";
import { type PublishedPackage, PUBLISHED } from "./published-packages.ts";
import { build } from "tsdown";
import { refuseLibraries } from "./refuse-libraries.ts";

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
  /** The packed folder. */
  readonly folder: string;
  readonly tarball: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  /** Paths inside the tarball, without `package/`. */
  readonly files: readonly string[];
};

/**
 * Builds a package into `<into>/<folder>` and packs it beside that, as `npm publish` would.
 *
 * @throws {Error} When the build fails, or npm cannot pack it.
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

const Dependencies = z.record(z.string(), z.string()).default({});
const Manifest = z.looseObject({
  version: z.string(),
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
  publishConfig: z.looseObject({ dependencies: z.record(z.string(), z.string()).optional() }).default({}),
});
type Manifest = z.infer<typeof Manifest>;

/** Fields that only the repository uses. */
const PRIVATE = ["private", "devDependencies", "scripts", "packageManager"];
/** The fields that `publishConfig` replaces, as in pnpm; the rest of it is for the registry. */
const REPLACED = ["exports", "bin", "dependencies"];
/** Taken from the repository's own manifest. */
const SHARED = ["repository", "homepage", "bugs", "author"];

/** An import, or a file of a package, such as `require.resolve("quickjs-wasi/quickjs.wasm")`. */
const NAMED =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|(?=["'][@\w.-]+(?:\/[\w.-]+)*\/[\w.-]+["']))["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]*)?["']/g;

/** Creates a package's manifest from that of its sources. `dist` is the build output. */
export async function publishedManifest(
  { name, folder, kind }: PublishedPackage,
  { root, dist }: { readonly root: string; readonly dist: string },
): Promise<Record<string, unknown>> {
  const own = await readManifest(path.join(root, folder));
  const system = await readManifest(root);
  const { publishConfig, ...rest } = own;
  const { optionalDependencies: _optional, ...others } = rest;
  const fields = Object.entries(others).filter(([field]) => !PRIVATE.includes(field));
  const published = Object.entries(publishConfig);
  const dependencies =
    kind === "system" ? await dependenciesOf(root, dist) : (publishConfig.dependencies ?? own.dependencies);
  return {
    name,
    version: system.version,
    ...Object.fromEntries(fields.filter(([field]) => !["name", "version"].includes(field))),
    ...Object.fromEntries(published.filter(([field]) => REPLACED.includes(field))),
    ...Object.fromEntries(SHARED.filter((field) => field in system).map((field) => [field, system[field]])),
    dependencies: resolved(dependencies, system.version),
    // The Node that the system runs on, as in the repository.
    ...(kind === "system" ? { optionalDependencies: system.optionalDependencies } : {}),
    publishConfig: Object.fromEntries(published.filter(([field]) => !REPLACED.includes(field))),
  };
}

// Of all dependencies of the repository's packages, those that the built files name.
async function dependenciesOf(root: string, dist: string): Promise<Record<string, string>> {
  const all = new Map<string, string>();
  for await (const file of glob("{packages,services}/*/package.json", { cwd: root })) {
    const { dependencies } = await readManifest(path.join(root, path.dirname(file)));
    for (const [name, range] of Object.entries(dependencies)) all.set(name, range);
  }
  const named = new Set<string>();
  for await (const file of glob("{packages,services}/*/src/**/*.js", { cwd: dist })) {
    const text = await readFile(path.join(dist, file), "utf8");
    for (const [, specifier = ""] of text.matchAll(NAMED)) if (all.has(specifier)) named.add(specifier);
  }
  const kept = [...named].filter((name) => !all.get(name)?.startsWith("workspace:"));
  return Object.fromEntries(kept.sort().map((name) => [name, all.get(name) ?? ""]));
}

/** Published packages of ours are required in the same version; private ones are bundled. */
function resolved(dependencies: Readonly<Record<string, string>>, version: string): Record<string, string> {
  const names = new Set(PUBLISHED.map(({ name }) => name));
  const entries = Object.entries(dependencies).flatMap(([name, range]) => {
    if (!range.startsWith("workspace:")) return [[name, range] as const];
    return names.has(name) ? [[name, version] as const] : [];
  });
  return Object.fromEntries(entries);
}

async function readManifest(folder: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")));
}

/** Libraries run in users' programs, on any platform: Node from 20 on, Bun, Deno, browsers. */
const TARGET = "es2022";

/**
 * Builds a library into one module and one type declaration file. Imports of private packages are bundled into both;
 * imports from npm stay imports.
 *
 * @param outDir - Emptied first.
 */
async function buildLibrary(
  { folder, entry, tsconfig = "tsconfig.build.json" }: PublishedPackage,
  { root, outDir }: { readonly root: string; readonly outDir: string },
): Promise<void> {
  await build({
    config: false,
    cwd: path.join(root, folder),
    entry: { index: entry },
    outDir,
    format: "esm",
    platform: "neutral",
    target: TARGET,
    tsconfig: path.join(root, tsconfig),
    dts: true,
    outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
    deps: {
      alwaysBundle: [/^@planwright\/(?!(?:client|tools-kit)$)/],
      neverBundle: [/^node:/, "immutable", /^@planwright\/(?:client|tools-kit)$/],
    },
    plugins: [refuseLibraries],
    // The only warning is that TypeScript 7 is new.
    logLevel: "error",
    inputOptions: { checks: { pluginTimings: false }, treeshake: { moduleSideEffects: false } },
    report: false,
  });
}
