import { z } from "zod";
import { defineTool, type Tool } from "../tools/define-tool.ts";
import { DatabaseSync } from "node:sqlite";
import type { Logger } from "@planwright/shared/service";
import { toFullTextQuery } from "./search-words.ts";
import { splitSections } from "./split-sections.ts";
import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { PermanentError } from "@planwright/shared/errors";

const QUERY_CHARS_MAX = 2_000;
/** What is found changes slowly. */
const REUSABLE_MS = 60_000;
const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 50;

/** Searches the documents that this installation was given. */
export function docsSearch({ docs }: { readonly docs: DocsIndex }): Tool {
  return defineTool({
    name: "docs.search",
    description:
      "Search this installation's own documents, not the internet, for passages about facts, prices, policies or descriptions. " +
      "Output: {hits: [{path, title, snippet, score}]}, best first, empty if nothing matches.",
    input: z.strictObject({
      query: z
        .string()
        .trim()
        .min(1)
        .max(QUERY_CHARS_MAX)
        .describe("Search terms, such as: price of plan A."),
      limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe("Max passages."),
    }),
    output: z.object({ hits: z.array(DocHit) }),
    risk: "low",
    effect: "read",
    reusableMs: REUSABLE_MS,
    timeoutMs: 60_000,
    run: async ({ query, limit }, { signal, log }) => ({
      hits: [...(await docs.search(query, { limit, signal, log }))],
    }),
  });
}

const SCAN_EVERY_MS = 2_000;
/** Sections up to this length are shown whole. */
const WHOLE_CHARS_MAX = 800;
const SNIPPET_CHARS_MAX = 1_200;

/** A full-text index over a folder of documents, kept in memory and up to date with the files. */
export const DocHit = z.object({
  path: z.string(),
  title: z.string(),
  snippet: z.string(),
  /** Higher is better; only comparable within one search. */
  score: z.number(),
});
export type DocHit = z.infer<typeof DocHit>;

export type DocsIndex = {
  /**
   * The best sections for a text, those with all of its words first.
   *
   * @throws {PermanentError} `docs_unavailable` when the folder does not exist.
   */
  search(query: string, options: SearchOptions): Promise<readonly DocHit[]>;
};

export type SearchOptions = { readonly limit: number; readonly signal: AbortSignal; readonly log: Logger };

export type DocsIndexSettings = {
  readonly folder: string;
  readonly now: () => number;
  /** How old the last look at the folder may be, in milliseconds; two seconds when absent. */
  readonly scanEveryMs?: number;
};

/** Makes an index that is empty until the first search. */
export function createDocsIndex({ folder, now, scanEveryMs = SCAN_EVERY_MS }: DocsIndexSettings): DocsIndex {
  const sections = createSections();
  let scannedAtMs = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function refresh(log: Logger): Promise<void> {
    const { files, leftOut } = await scanDocsFolder(folder);
    for (const reason of leftOut) log.warn({ reason }, "documents excluded from search");
    sections.keepOnly(new Set(files.map(({ path }) => path)));
    for (const file of files) {
      if (!sections.isStale(file)) continue;
      const text = await readDocFile(file);
      if (text !== undefined) sections.replace(file, text);
    }
    scannedAtMs = now();
  }

  /** Searches that come together wait for one scan. */
  async function upToDate(log: Logger): Promise<void> {
    if (now() - scannedAtMs < scanEveryMs) return;
    refreshing ??= refresh(log).finally(() => {
      refreshing = undefined;
    });
    await refreshing;
  }

  return {
    async search(query, { limit, signal, log }) {
      signal.throwIfAborted();
      await upToDate(log);
      signal.throwIfAborted();
      return sections.find(query, limit);
    },
  };
}

function createSections() {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE sections USING fts5(title, body, path, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  const insert = database.prepare("INSERT INTO sections (title, body, path) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM sections WHERE rowid BETWEEN ? AND ?");
  // A title says more than a path, and a path more than one of many words of a body.
  const select = database.prepare(
    `SELECT title, path, body, snippet(sections, 1, '', '', ' … ', 64) AS snippet, -bm25(sections, 4.0, 1.0, 2.0) AS score
     FROM sections WHERE sections MATCH $any
     ORDER BY rowid IN (SELECT rowid FROM sections WHERE sections MATCH $all) DESC, score DESC, rowid LIMIT $limit`,
  );
  const known = new Map<string, { readonly state: string; readonly first: number; readonly last: number }>();

  function forget(path: string): void {
    const entry = known.get(path);
    if (entry !== undefined) remove.run(entry.first, entry.last);
    known.delete(path);
  }

  return {
    isStale: ({ path, state }: DocFile) => known.get(path)?.state !== state,
    keepOnly(paths: ReadonlySet<string>): void {
      for (const path of known.keys()) if (!paths.has(path)) forget(path);
    },
    replace({ path, state }: DocFile, text: string): void {
      database.exec("BEGIN");
      forget(path);
      const rowIds = splitSections(text, path).map(({ title, body }) =>
        Number(insert.run(title, body, path).lastInsertRowid),
      );
      database.exec("COMMIT");
      known.set(path, { state, first: rowIds[0] ?? 0, last: rowIds.at(-1) ?? -1 });
    },
    find(query: string, limit: number): readonly DocHit[] {
      const words = toFullTextQuery(query);
      if (words === undefined) return [];
      return select.all({ ...words, limit }).map(toHit);
    },
  };
}

const Row = DocHit.extend({ body: z.string() });

function toHit(row: unknown): DocHit {
  const { path, title, body, snippet, score } = Row.parse(row);
  const shown = body.length <= WHOLE_CHARS_MAX ? body : snippet.slice(0, SNIPPET_CHARS_MAX);
  return { path, title, snippet: shown, score: Number(score.toPrecision(4)) };
}

const FILES_MAX = 5_000;
const FILE_BYTES_MAX = 1024 * 1024;
const ALL_BYTES_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 16;
const NAME = /\.(?:md|markdown|txt)$/i;

/** Finds the documents of a folder, without leaving it. */
type DocFile = {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly fullPath: string;
  /** Differs when the file's content may have changed. */
  readonly state: string;
};

type DocsScan = {
  readonly files: readonly DocFile[];
  /** Why documents were left out, one sentence for each limit reached. */
  readonly leftOut: readonly string[];
};

/**
 * Lists Markdown and text files in the order of their paths; links and hidden entries are skipped.
 *
 * @throws {PermanentError} `docs_unavailable` when there is no such folder.
 */
async function scanDocsFolder(folder: string): Promise<DocsScan> {
  const files: DocFile[] = [];
  const leftOut = new Set<string>();
  let bytes = 0;

  async function walk(relative: string, full: string, depth: number): Promise<void> {
    if (depth > DEPTH_MAX) return void leftOut.add(`folders deeper than ${DEPTH_MAX} are not searched`);
    const entries = await readdir(full, { withFileTypes: true });
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      const fullPath = join(full, entry.name);
      // A link is neither: it is not followed.
      if (entry.isDirectory()) await walk(path, fullPath, depth + 1);
      else if (entry.isFile() && NAME.test(entry.name)) await take(path, fullPath);
    }
  }

  async function take(path: string, fullPath: string): Promise<void> {
    if (files.length >= FILES_MAX) return void leftOut.add(`only the first ${FILES_MAX} files are searched`);
    const { size, mtimeMs, ino } = await stat(fullPath);
    if (size > FILE_BYTES_MAX)
      return void leftOut.add(`files above ${FILE_BYTES_MAX} bytes are not searched`);
    if (bytes + size > ALL_BYTES_MAX)
      return void leftOut.add(`only the first ${ALL_BYTES_MAX} bytes are searched`);
    bytes += size;
    files.push({ path, fullPath, state: `${ino} ${size} ${mtimeMs}` });
  }

  await walk("", await findFolder(folder), 0);
  return { files, leftOut: [...leftOut] };
}

async function findFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (cause) {
    throw new PermanentError("the folder of documents does not exist", { code: "docs_unavailable", cause });
  }
}

/** The text of a document, or `undefined` when it has gone, or become a link, since it was listed. */
async function readDocFile({ fullPath }: DocFile): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(fullPath, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    // Its removal counts: the next scan will not list it.
    return undefined;
  }
  await using file = handle;
  const bytes = Buffer.alloc(FILE_BYTES_MAX);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.byteLength - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return new TextDecoder("utf-8").decode(bytes.subarray(0, length));
}
