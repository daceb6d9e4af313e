// The pictures of the documents are those that tests make of the page: none is older than the page, none is missing.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
/** `![words](a/path/to/docs/images/name.png)`, or relative to a document. */
const EMBEDDED = /!\[[^\]]*\]\(([^)\s]+\.(?:png|jpe?g|gif|webp|svg))\)/g;
const MADE = /\bpicture\(\s*[\w.]+,\s*"([\w-]+)"\s*\)/g;

/** What a pattern finds in files, with the file. */
async function findAll(files: string, pattern: RegExp): Promise<{ file: string; found: string }[]> {
  const found: { file: string; found: string }[] = [];
  const exclude = (name: string) => name.includes("node_modules");
  for await (const file of glob(files, { cwd: ROOT, exclude })) {
    const text = await readFile(path.join(ROOT, file), "utf8");
    for (const [, match = ""] of text.matchAll(pattern)) found.push({ file, found: match });
  }
  return found;
}

const made = (await findAll("tests/**/*.{e2e,full}.test.ts", MADE)).map(
  ({ found }) => `docs/images/${found}.png`,
);

it("embeds only pictures that a test makes", async () => {
  const embedded = await findAll("{*.md,docs/**/*.md,examples/**/*.md}", EMBEDDED);
  expect(embedded.length).toBeGreaterThan(0);
  const strange = embedded
    .map(({ file, found }) => ({ file, image: path.posix.join(path.posix.dirname(file), found) }))
    .filter(({ image }) => !made.includes(image));
  expect(strange).toEqual([]);
});

it("keeps each picture that a test makes, and no other", async () => {
  const kept: string[] = [];
  for await (const file of glob("docs/images/*", { cwd: ROOT })) kept.push(file);
  expect(kept.sort()).toEqual(made.sort());
});
