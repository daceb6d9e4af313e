// docs.search over a real folder of files.
import { renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createDocsIndex, DocHit, docsSearch } from "./docs-search.ts";
import { type TempFolder, tempFolder } from "../testing/temp-folder.ts";
import { testContext } from "../tools/testing/test-context.ts";

const Hits = z.object({ hits: z.array(DocHit) });

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.dispose]());

function open({ scanEveryMs = 0, now = (): number => 0, path = folder.path } = {}) {
  const tool = docsSearch({ docs: createDocsIndex({ folder: path, now, scanEveryMs }) });
  return async (query: string, limit?: number) =>
    Hits.parse(await tool.run({ query, ...(limit === undefined ? {} : { limit }) }, testContext())).hits;
}

function writeStore() {
  folder.write(
    "a.md",
    "# Product A\n\nThe anvil.\n\n## Price\n\nIt costs 10 dollars a month.\n\n## Support\n\nBy mail.\n",
  );
  folder.write("b.md", "# Product B\n\n## Price\n\nIt costs 25 dollars a month.\n");
  folder.write("deep/er/c.txt", "Product C has no price yet.\n");
  folder.write("other.md", "# Cafés\n\nWhere people drink.\n");
}

describe("docs.search", () => {
  it("finds the passage with the headings above it", async () => {
    writeStore();
    const [best] = await open()("What is the price of Product A?");
    expect(best).toMatchObject({
      path: "a.md",
      title: "Product A › Price",
      snippet: "It costs 10 dollars a month.",
    });
    expect(best?.score).toBeGreaterThan(0);
  });

  it("ranks passages with all words before those with some, and returns max the requested number", async () => {
    writeStore();
    const search = open();
    expect((await search("product B price")).map(({ path }) => path)[0]).toBe("b.md");
    expect(await search("price", 2)).toHaveLength(2);
    expect((await search("anvil unicorns"))[0]).toMatchObject({ path: "a.md" });
  });

  it("reads subfolders and matches other word forms and accents", async () => {
    writeStore();
    const search = open();
    expect((await search("product C"))[0]).toMatchObject({ path: "deep/er/c.txt", title: "deep/er/c.txt" });
    expect((await search("costing"))[0]?.snippet).toContain("costs");
    expect((await search("CAFE"))[0]).toMatchObject({ path: "other.md" });
  });

  it("finds nothing when nothing matches or the query has no words", async () => {
    writeStore();
    const search = open();
    expect(await search("zeppelin")).toEqual([]);
    expect(await search('?!* ("')).toEqual([]);
  });

  it.each([
    '"',
    "a AND",
    "NEAR(",
    "title:price",
    "price*",
    "-price",
    "^price",
    "{title} : price",
    "'; DROP TABLE sections --",
    "a\u0000b",
  ])("treats %j as words, never as syntax", async (query) => {
    writeStore();
    await expect(open()(query)).resolves.toBeInstanceOf(Array);
  });

  it("accepts any query without an error", async () => {
    writeStore();
    const search = open();
    const text = fc
      .string({ minLength: 1, maxLength: 200, unit: "binary" })
      .filter((query) => query.trim() !== "");
    const queries = fc.sample(text, { numRuns: 300, seed: 7 });
    for (const query of queries) await expect(search(query)).resolves.toBeInstanceOf(Array);
  });

  it("picks up files that are added, changed and removed", async () => {
    const search = open();
    const file = folder.write("a.md", "# One\n\nfirst zebra\n");
    expect(await search("zebra")).toHaveLength(1);
    folder.write("a.md", "# One\n\nfirst giraffe\n");
    utimesSync(file, 1, 1);
    folder.write("b.md", "# Two\n\nsecond giraffe\n");
    expect(await search("zebra")).toEqual([]);
    expect(await search("giraffe")).toHaveLength(2);
    renameSync(file, join(folder.path, "c.md"));
    rmSync(join(folder.path, "b.md"));
    expect((await search("giraffe")).map(({ path }) => path)).toEqual(["c.md"]);
  });

  it("scans the folder again only after a while", async () => {
    let nowMs = 0;
    const search = open({ scanEveryMs: 1_000, now: () => nowMs });
    folder.write("a.md", "zebra");
    expect(await search("zebra")).toHaveLength(1);
    folder.write("b.md", "zebra");
    expect(await search("zebra")).toHaveLength(1);
    nowMs = 1_000;
    expect(await search("zebra")).toHaveLength(2);
  });

  it("answers concurrent searches from one index", async () => {
    writeStore();
    const search = open();
    const found = await Promise.all(["anvil", "price", "anvil"].map((query) => search(query)));
    expect(found.map((hits) => hits.length)).toEqual([1, 3, 1]);
  });

  it("does not follow links, and skips hidden and unsupported files", async () => {
    using outside = tempFolder();
    outside.write("secret.md", "zebra");
    symlinkSync(join(outside.path, "secret.md"), join(folder.path, "link.md"));
    symlinkSync(outside.path, join(folder.path, "linked"));
    folder.write(".hidden.md", "zebra");
    folder.write(".git/notes.md", "zebra");
    folder.write("image.png", "zebra");
    expect(await open()("zebra")).toEqual([]);
  });

  it("leaves out a file that is too large and still finds the others", async () => {
    folder.write("large.md", `zebra ${"x".repeat(1024 * 1024)}`);
    folder.write("small.md", "zebra");
    expect((await open()("zebra")).map(({ path }) => path)).toEqual(["small.md"]);
  });

  it("reads files that are not text without failing", async () => {
    folder.write("binary.txt", new Uint8Array([0, 255, 254, 122, 0, 10, 200]));
    folder.write("a.md", "zebra");
    expect(await open()("zebra")).toHaveLength(1);
  });

  it("shows the part of a long passage that matches", async () => {
    folder.write(
      "long.md",
      `# Long\n\n${"filler words here. ".repeat(60)}the zebra stands ${"and more. ".repeat(40)}`,
    );
    const [hit] = await open()("zebra");
    expect(hit?.snippet).toContain("the zebra stands");
    expect(hit?.snippet.length).toBeLessThan(1_200);
  });

  it("reports a missing folder", async () => {
    await expect(open({ path: join(folder.path, "none") })("x")).rejects.toMatchObject({
      code: "docs_unavailable",
    });
  });
});

describe("docs.search as a light tool", () => {
  const { log } = testContext();
  const opened = async (path = folder.path) => {
    const docs = createDocsIndex({ folder: path, now: () => 0, scanEveryMs: 0 });
    await docs.fillIfSmall(log);
    return docs;
  };
  const fill = (files: number, chars: number) => {
    for (let file = 0; file < files; file += 1) folder.write(`${file}.md`, "x".repeat(chars));
  };

  it.each([
    { files: 0, chars: 0, light: true },
    { files: 64, chars: 4_096, light: true },
    { files: 65, chars: 1, light: undefined },
    { files: 1, chars: 262_145, light: undefined },
  ])("is light with $files files of $chars characters: $light", async ({ files, chars, light }) => {
    fill(files, chars);
    expect(docsSearch({ docs: await opened() }).spec.light).toBe(light);
  });

  it("is not light without a folder or before the folder is indexed", async () => {
    writeStore();
    const missing = await opened(join(folder.path, "none"));
    expect(docsSearch({ docs: missing }).spec.light).toBeUndefined();
    const unread = createDocsIndex({ folder: folder.path, now: () => 0 });
    expect(docsSearch({ docs: unread }).spec.light).toBeUndefined();
  });

  it("reports that it is no longer light when the folder has grown", async () => {
    writeStore();
    const said: string[] = [];
    const context = testContext({ noteNotLight: (reason) => said.push(reason) });
    const tool = docsSearch({ docs: await opened() });
    await tool.run({ query: "anvil" }, context);
    expect(said).toEqual([]);
    fill(64, 1);
    expect(await tool.run({ query: "anvil" }, context)).toMatchObject({ hits: [{ path: "a.md" }] });
    expect(said).toEqual(["the documents exceed 64 files or 262144 bytes"]);
  });
});
