import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { OutputChunk, Plugin } from "rolldown";
import { digestOfSources } from "./digest-of-sources.ts";

/** Sources that are changed while they are bundled are bundled again, this many times. */
const ATTEMPTS_MAX = 3;
/** Every change of the sources leaves a bundle behind: what was not used for a day is removed. */
const UNUSED_MS_MAX = 24 * 60 * 60 * 1_000;
/** How a service names the script of a thread or a process that it starts. */
const OWN_ENTRY = /new URL\("(\.\/[\w./-]+\.ts)", import\.meta\.url\)/g;

/**
 * Puts each service and what it imports into a few files, so that a process of it starts in less than half the time:
 * most of what a start costs is finding, reading and stripping a thousand modules. The threads and processes that a
 * service starts of its own are bundled with it.
 *
 * The folder is named after the sources, so that what was bundled once is found again and a stale bundle never is.
 *
 * @param options.root - The repository; `options.services` are the names of folders of its `services`.
 * @returns The folder with one `<service>.js` each.
 * @throws {Error} When the sources cannot be bundled, or do not stop changing.
 */
export async function bundleServices({
  root,
  services,
}: {
  readonly root: string;
  readonly services: readonly string[];
}): Promise<string> {
  const bundles = path.join(root, "node_modules", ".cache", "planwright-services");
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const digest = await digestOfSources(root);
    const folder = path.join(bundles, digest);
    if (await isThere(folder)) {
      await markUsed(folder);
      return folder;
    }
    await removeUnused(bundles);
    const chunks = await bundle({ root, services });
    if ((await digestOfSources(root)) !== digest) continue;
    await write(chunks, folder);
    return folder;
  }
  throw new Error(`wanted sources at rest, found them changed ${ATTEMPTS_MAX} times while they were bundled`);
}

/** Says that a bundle is in use, for another day. */
export async function markUsed(folder: string): Promise<void> {
  await utimes(folder, new Date(), new Date());
}

async function bundle({
  root,
  services,
}: {
  readonly root: string;
  readonly services: readonly string[];
}): Promise<OutputChunk[]> {
  const entries = services.map((name) => [name, path.join("services", name, "src", "main.ts")] as const);
  // Loaded only now: most calls find what an earlier one has bundled.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries),
    platform: "node",
    // Unused exports of libraries that import themselves in circles.
    logLevel: "silent",
    plugins: [keepPlaces],
  });
  try {
    const { output } = await build.generate({
      format: "esm",
      chunkFileNames: "[name].js",
      banner:
        'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    });
    return output.filter((file) => file.type === "chunk");
  } finally {
    await build.close();
  }
}

/** What a service starts is an entry of its own; files that a module finds from its own place are still found. */
const keepPlaces: Plugin = {
  name: "keep-places",
  transform(code, id) {
    if (!/import\.meta\.|__dirname|__filename/.test(code) || !path.isAbsolute(id)) return undefined;
    const places = [pathToFileURL(id).href, path.dirname(id), id].map((place) => JSON.stringify(place));
    const [url = "", directory = "", file = ""] = places;
    // Modules have neither; where ours write of them, they are words.
    const ofScripts = id.endsWith(".ts") ? /$^/g : /\b__(?:dirname|filename)\b/g;
    return code
      .replace(OWN_ENTRY, (_, started: string) => {
        const fileName = `${path.basename(started, ".ts")}.js`;
        this.emitFile({ type: "chunk", id: path.resolve(path.dirname(id), started), fileName });
        return `new URL("./${fileName}", import.meta["url"])`;
      })
      .replace(/import\.meta\.url\b/g, () => url)
      .replace(/import\.meta\.dirname\b/g, () => directory)
      .replace(/import\.meta\.filename\b/g, () => file)
      .replace(ofScripts, (name) => (name === "__dirname" ? directory : file));
  },
};

/** In one move: another run finds the folder whole or not at all. */
async function write(chunks: readonly OutputChunk[], folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-draft-`);
  // Without it Node reads every file twice, to see whether it is a module.
  await writeFile(path.join(draft, "package.json"), JSON.stringify({ type: "module" }));
  await Promise.all(chunks.map(({ fileName, code }) => writeFile(path.join(draft, fileName), code)));
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isThere(folder))) throw error;
  }
}

async function removeUnused(bundles: string): Promise<void> {
  for (const name of await readdir(bundles).catch(() => [])) {
    const folder = path.join(bundles, name);
    const usedMs = (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0;
    if (Date.now() - usedMs > UNUSED_MS_MAX) await rm(folder, { recursive: true, force: true });
  }
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined)) !== undefined;
}
