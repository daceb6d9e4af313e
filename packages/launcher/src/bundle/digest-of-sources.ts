import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import path from "node:path";

/** Everything that a service is made of: what is installed is decided by the lock file. */
const SOURCES = ["pnpm-lock.yaml", "{packages,services}/*/package.json", "{packages,services}/*/src/**/*"];
/** The page is no part of a service, and a test of nothing. */
const NO_SOURCES = ["packages/dashboard/**", "**/*.test.*"];
const PARALLEL = 64;

/**
 * A name for the sources of the services as they are now, and for where they are: places are written into what is made
 * of them.
 *
 * @param root - The repository.
 */
export async function digestOfSources(root: string): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(SOURCES, { cwd: root, exclude: NO_SOURCES, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  const digest = createHash("sha256").update(root);
  const sorted = files.toSorted();
  for (let from = 0; from < sorted.length; from += PARALLEL) {
    const some = sorted.slice(from, from + PARALLEL);
    const contents = await Promise.all(some.map((file) => readFile(file)));
    some.forEach((file, index) => {
      const content = contents[index] ?? "";
      digest.update(`\0${path.relative(root, file)}\0${content.length}\0`).update(content);
    });
  }
  return digest.digest("hex").slice(0, 16);
}
