/**
 * The process that bundles entries into a folder and exits: `bundle-process.ts ROOT FOLDER NAME=FILE…`.
 *
 * The bundler takes about a gigabyte and never frees it; the launcher, which runs as long as the system, must not hold it.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";

/** How a service refers to the script of a thread or process that it starts. */
const OWN_ENTRY = /new URL\("(\.\/[\w./-]+\.ts)", import\.meta\.url\)/g;

async function bundle(root: string, entries: readonly string[]): Promise<OutputChunk[]> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map(splitEntry)),
    platform: "node",
    // Hides warnings about unused exports of libraries with circular imports.
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

function splitEntry(entry: string): [name: string, file: string] {
  const [name = "", file = ""] = entry.split("=", 2);
  return [name, file];
}

/** Makes the scripts that a service starts separate entries, and keeps files findable that a module locates by its own path. */
const keepPlaces: Plugin = {
  name: "keep-places",
  transform(code, id) {
    if (!/import\.meta\.|__dirname|__filename/.test(code) || !path.isAbsolute(id)) return undefined;
    const places = [pathToFileURL(id).href, path.dirname(id), id].map((place) => JSON.stringify(place));
    const [url = "", directory = "", file = ""] = places;
    // Modules have neither; in our own code these names are only text.
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

/** A raw template is its literal characters, which must not be escaped. */
const RAW_CHARACTER = /\bString\.raw`[^`]*[^\0-\x7f]/;
/** With the preceding backslashes, the last of which may belong to the character. */
const OTHER_CHARACTER = /(\\*)([^\0-\x7f])/g;

/** Escapes characters beyond ASCII: a file with even one takes twice the memory, and longer to load. */
function asAscii(code: string): string {
  if (RAW_CHARACTER.test(code)) return code;
  return code.replace(OTHER_CHARACTER, (_, slashes: string, character: string) => {
    const kept = slashes.length % 2 === 0 ? slashes : slashes.slice(1);
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const [root = "", folder = "", ...entries] = process.argv.slice(2);
try {
  const chunks = await bundle(root, entries);
  await Promise.all(
    chunks.map(({ fileName, code }) => writeFile(path.join(folder, fileName), asAscii(code))),
  );
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
