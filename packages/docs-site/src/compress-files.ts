import { glob, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Smaller files fit into a packet or two without compression. */
const COMPRESSED_BYTES_MIN = 1_024;

/**
 * Writes each text file of a folder a second time, as `.gz`: the gateway compresses nothing itself. Brotli would save another
 * tenth, but take longer than the rest of the build.
 */
export async function compressFiles(folder: string): Promise<void> {
  for await (const name of glob("**/*.{js,css,html}", { cwd: folder })) {
    const file = path.join(folder, name);
    const content = await readFile(file);
    if (content.byteLength >= COMPRESSED_BYTES_MIN)
      await writeFile(`${file}.gz`, await promisify(gzip)(content));
  }
}
