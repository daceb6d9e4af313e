/** The manifest that is published: that of the sources, with the names, entries and dependencies that a user needs. */
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { PUBLISHED, type PublishedPackage } from "./published-packages.ts";

const Dependencies = z.record(z.string(), z.string()).default({});
const Manifest = z.looseObject({
  version: z.string(),
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
  publishConfig: z.looseObject({ dependencies: z.record(z.string(), z.string()).optional() }).default({}),
});
type Manifest = z.infer<typeof Manifest>;

/** Fields that are for the repository alone. */
const PRIVATE = ["private", "devDependencies", "scripts", "packageManager"];
/** What `publishConfig` replaces, as in pnpm; the rest of it is for the registry. */
const REPLACED = ["exports", "bin", "dependencies"];
/** Taken from the repository's own manifest. */
const SHARED = ["repository", "homepage", "bugs", "author"];

/** An import, or a file of a package, such as `require.resolve("quickjs-wasi/quickjs.wasm")`. */
const NAMED =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|(?=["'][@\w.-]+(?:\/[\w.-]+)*\/[\w.-]+["']))["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]*)?["']/g;

/** Makes the manifest of a package from that of its sources. `dist` is what was built. */
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

/** Of all that the packages of the repository depend on, what the built files name. */
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

/** A published package of ours is wanted in the same version; a private one is inside. */
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
