import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type OutputChunk, rolldown } from "rolldown";
import { SERVICE_NAMES } from "./service-names.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const BUNDLES = path.join(ROOT, "node_modules", ".cache", "planwright-services");
/** Threads that every service starts; what else runs outside the service's main thread runs from its sources. */
const THREADS = { "ack-renewal-thread": "packages/shared/src/queue/ack-renewal-thread.ts" };
const ENTRIES = Object.fromEntries(SERVICE_NAMES.map((name) => [name, `services/${name}/src/main.ts`]));
const THREAD_URL = new RegExp(
  String.raw`new URL\("\./(${Object.keys(THREADS).join("|")})\.ts", import\.meta\.url\)`,
  "g",
);
/** Bundles that were not used for a day are removed: every change of the sources leaves one behind. */
const UNUSED_MS_MAX = 24 * 60 * 60 * 1_000;

/**
 * Puts each service and what it imports into a few files, so that a process of it starts in half the time.
 *
 * The folder is named after its content, so that the compile cache fits and runs at the same time do not meet.
 *
 * @returns The folder with one `<service>.js` each.
 */
export async function bundleServices(): Promise<string> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { ...ENTRIES, ...THREADS },
    platform: "node",
    // Unused exports of libraries that import themselves in circles.
    logLevel: "silent",
    plugins: [{ name: "keep-places", transform: keepPlaces }],
  });
  const { output } = await bundle.generate({
    format: "esm",
    chunkFileNames: "[name].js",
    banner:
      'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === "chunk");
  const folder = path.join(BUNDLES, digestOf(chunks));
  await removeUnused();
  const known = await stat(folder).catch(() => undefined);
  if (known === undefined) await write(chunks, folder);
  else await utimes(folder, new Date(), new Date());
  return folder;
}

/** Files that a module finds from its own place are still found: the place is written into it. */
function keepPlaces(code: string, id: string): string | undefined {
  if (!/import\.meta\.|__dirname|__filename/.test(code) || !path.isAbsolute(id)) return undefined;
  const [url, directory, file] = [pathToFileURL(id).href, path.dirname(id), id].map((one) =>
    JSON.stringify(one),
  );
  return code
    .replace(THREAD_URL, (_, name: string) => `new URL("./${name}.js", import.meta["url"])`)
    .replace(/import\.meta\.url\b/g, () => url ?? "")
    .replace(/import\.meta\.dirname\b|\b__dirname\b/g, () => directory ?? "")
    .replace(/import\.meta\.filename\b|\b__filename\b/g, () => file ?? "");
}

function digestOf(chunks: readonly OutputChunk[]): string {
  const digest = createHash("sha256");
  for (const { fileName, code } of chunks) digest.update(fileName).update(code);
  return digest.digest("hex").slice(0, 16);
}

/** In one move: another run finds the folder whole or not at all. */
async function write(chunks: readonly OutputChunk[], folder: string): Promise<void> {
  await mkdir(BUNDLES, { recursive: true });
  const draft = await mkdtemp(path.join(BUNDLES, "draft-"));
  await Promise.all(chunks.map(({ fileName, code }) => writeFile(path.join(draft, fileName), code)));
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if ((await stat(folder).catch(() => undefined)) === undefined) throw error;
  }
}

async function removeUnused(): Promise<void> {
  const names = await readdir(BUNDLES).catch(() => []);
  for (const name of names) {
    const folder = path.join(BUNDLES, name);
    const age = Date.now() - (await stat(folder)).mtimeMs;
    if (age > UNUSED_MS_MAX) await rm(folder, { recursive: true, force: true });
  }
}
