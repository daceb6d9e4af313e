import { z } from "zod";
import { defineTool, type Tool } from "../tools/define-tool.ts";
import { DatabaseSync } from "node:sqlite";
import type { Logger } from "@planwright/shared/service";
import { toFullTextQuery } from "./search-words.ts";
import { splitSections } from "./split-sections.ts";
import { type DocFile, type DocsScan, readDocFile, scanDocsFolder } from "./docs-folder.ts";

const QUERY_CHARS_MAX = 2_000;
/** Search results change slowly. */
const REUSABLE_MS = 60_000;
const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 50;

/**
 * Searches the documents of this installation.
 *
 * It is light if the index is: in a small folder, a search for a few words takes less than 5 ms (`npm run bench -- light-tools`).
 */
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
    ...(docs.isLight() ? { light: true } : {}),
    reusableMs: REUSABLE_MS,
    timeoutMs: 60_000,
    run: async ({ query, limit }, { signal, log, noteNotLight }) => {
      const hits = await docs.search(query, { limit, signal, log });
      if (!docs.isLight())
        noteNotLight?.(`the documents exceed ${LIGHT_FILES_MAX} files or ${LIGHT_BYTES_MAX} bytes`);
      return { hits: [...hits] };
    },
  });
}

/** The largest folder in which searches for a few words are light. */
const LIGHT_FILES_MAX = 64;
const LIGHT_BYTES_MAX = 256 * 1024;

const SCAN_EVERY_MS = 2_000;
/** Sections up to this length are returned in full. */
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
   * Indexes the folder if it is small enough for light searches. If it is not, or cannot be read, the first search reports why.
   */
  fillIfSmall(log: Logger): Promise<void>;
  /**
   * The best sections for a query, those with all of its words first.
   *
   * @throws {PermanentError} `docs_unavailable` when the folder does not exist.
   */
  search(query: string, options: SearchOptions): Promise<readonly DocHit[]>;
  /** Whether the folder is indexed and small enough for searches of a few milliseconds, as of the last scan. */
  isLight(): boolean;
};

export type SearchOptions = { readonly limit: number; readonly signal: AbortSignal; readonly log: Logger };

export type DocsIndexSettings = {
  readonly folder: string;
  readonly now: () => number;
  /** Maximum age of the last scan, in milliseconds; two seconds by default. */
  readonly scanEveryMs?: number;
};

function isSmall({ files, bytes }: DocsScan): boolean {
  return files.length <= LIGHT_FILES_MAX && bytes <= LIGHT_BYTES_MAX;
}

/** Creates an index that stays empty until it is filled or searched. */
export function createDocsIndex({ folder, now, scanEveryMs = SCAN_EVERY_MS }: DocsIndexSettings): DocsIndex {
  const sections = createSections();
  let isLight = false;
  let scannedAtMs = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function fill(scan: DocsScan, log: Logger): Promise<void> {
    const { files, leftOut } = scan;
    for (const reason of leftOut) log.warn({ reason }, "documents excluded from search");
    sections.keepOnly(new Set(files.map(({ path }) => path)));
    for (const file of files) {
      if (!sections.isStale(file)) continue;
      const text = await readDocFile(file);
      if (text !== undefined) sections.replace(file, text);
    }
    isLight = isSmall(scan);
    scannedAtMs = now();
  }

  async function refresh(log: Logger): Promise<void> {
    await fill(await scanDocsFolder(folder), log);
  }

  /** Concurrent searches wait for one scan. */
  async function upToDate(log: Logger): Promise<void> {
    if (now() - scannedAtMs < scanEveryMs) return;
    refreshing ??= refresh(log).finally(() => {
      refreshing = undefined;
    });
    await refreshing;
  }

  return {
    async fillIfSmall(log) {
      try {
        const scan = await scanDocsFolder(folder);
        if (isSmall(scan)) await fill(scan, log);
      } catch (err) {
        log.debug({ err }, "documents not indexed before the first search");
      }
    },
    async search(query, { limit, signal, log }) {
      signal.throwIfAborted();
      await upToDate(log);
      signal.throwIfAborted();
      return sections.find(query, limit);
    },
    isLight: () => isLight,
  };
}

function createSections() {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE sections USING fts5(title, body, path, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  const insert = database.prepare("INSERT INTO sections (title, body, path) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM sections WHERE rowid BETWEEN ? AND ?");
  // A match in the title counts more than one in the path, and that more than one in the body.
  const score = "-bm25(sections, 4.0, 1.0, 2.0)";
  // Snippets cost more than scores, so only those of the best sections are made.
  const select = database.prepare(
    `SELECT title, path, body, best.score AS score,
            CASE WHEN length(body) <= ${WHOLE_CHARS_MAX} THEN body ELSE snippet(sections, 1, '', '', ' … ', 64) END AS snippet
     FROM (SELECT rowid AS id, ${score} AS score, rowid IN (SELECT rowid FROM sections WHERE sections MATCH $all) AS has_all
           FROM sections WHERE sections MATCH $any ORDER BY has_all DESC, score DESC, rowid LIMIT $limit) AS best
     CROSS JOIN sections ON sections.rowid = best.id
     WHERE sections MATCH $any ORDER BY has_all DESC, best.score DESC, id`,
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
