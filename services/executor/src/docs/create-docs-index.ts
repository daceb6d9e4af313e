/** A full-text index over a folder of documents, kept in memory and up to date with the files. */
import { DatabaseSync } from "node:sqlite";
import type { Logger } from "@planwright/shared/service";
import { z } from "zod";
import { type DocFile, readDocFile, scanDocsFolder } from "./scan-docs-folder.ts";
import { toFullTextQuery } from "./search-words.ts";
import { splitSections } from "./split-sections.ts";

const SCAN_EVERY_MS = 2_000;
/** Sections up to this length are shown whole. */
const WHOLE_CHARS_MAX = 800;
const SNIPPET_CHARS_MAX = 1_200;

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
