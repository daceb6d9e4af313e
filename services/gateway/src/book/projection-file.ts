/** The projection's database file: opened as this version left it, or recreated. */
import { ACCEPTS_VERSION } from "@planwright/plan";
import type { Logger } from "@planwright/shared/service";
import { describeError } from "@planwright/shared/errors";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FIGURES_SCHEMA } from "../figures/figures-table.ts";
import { TOOL_FIGURES_SCHEMA } from "../figures/write-figures.ts";
import { STEP_RUNS_SCHEMA } from "../figures/step-runs-table.ts";
import { SPENT_SCHEMA } from "../quotas/spent-days.ts";

const SCHEMA_VERSION = 14;
/** Deriving rows from the log by other rules makes another version. */
const VERSION = SCHEMA_VERSION * 10_000 + ACCEPTS_VERSION;

/** Lists are sorted by these columns, so none of them is NULL: an unknown number is -1, an unknown text is empty. */
const SCHEMA = `
  CREATE TABLE plans (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    status TEXT NOT NULL,
    strategy TEXT NOT NULL,
    outcome TEXT,
    answer_status TEXT,
    parent TEXT,
    goal TEXT NOT NULL,
    goal_key TEXT NOT NULL,
    submitted_by TEXT NOT NULL,
    submitter_key TEXT NOT NULL,
    submitted_at TEXT NOT NULL,
    ended_at TEXT,
    ended_ms INTEGER,
    duration_ms INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    percent INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    lesson TEXT
  ) STRICT;
  CREATE INDEX plans_by_tenant ON plans (tenant, sequence DESC);
  CREATE INDEX plans_by_status ON plans (tenant, status, sequence);
  CREATE INDEX plans_by_strategy ON plans (tenant, strategy, sequence);
  CREATE INDEX plans_by_duration ON plans (tenant, duration_ms, sequence);
  CREATE INDEX plans_by_cost ON plans (tenant, cost_usd, sequence);
  CREATE INDEX plans_by_tokens ON plans (tenant, tokens, sequence);
  CREATE INDEX plans_by_steps ON plans (tenant, total, sequence);
  CREATE INDEX plans_by_goal ON plans (tenant, goal_key, sequence);
  CREATE INDEX plans_by_submitter ON plans (tenant, submitter_key, sequence);
  CREATE INDEX plans_by_parent ON plans (parent, sequence DESC) WHERE parent IS NOT NULL;
  CREATE INDEX plans_by_end ON plans (tenant, ended_ms) WHERE ended_ms IS NOT NULL;
  CREATE INDEX open_plans ON plans (sequence) WHERE ended_at IS NULL;
  CREATE VIRTUAL TABLE plan_words USING fts5 (id, goal, metadata, owner, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
  ${FIGURES_SCHEMA}
  ${TOOL_FIGURES_SCHEMA}
  ${STEP_RUNS_SCHEMA}
  ${SPENT_SCHEMA}
  CREATE TABLE progress (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  PRAGMA user_version = ${VERSION};
`;

/**
 * Opens the file. Its content can always be rebuilt from the log, so a file that is damaged, or was written by another version or
 * from another log, is discarded.
 *
 * @param logId - Distinguishes this log from others, such as one that was deleted and recreated.
 * @param wordsId - Identifies the rules that exclude values from searches.
 * @param logEnd - The last sequence of the log; a file that claims to have seen more belongs to another log.
 */
export function openProjectionFile({
  file,
  logId,
  logEnd,
  wordsId = "",
  log,
}: {
  readonly file: string;
  readonly logId: string;
  readonly logEnd: number;
  readonly wordsId?: string | undefined;
  readonly log: Logger;
}): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  const existing = existsSync(file) ? tryOpen(file, log) : undefined;
  if (existing !== undefined) {
    if (isUsable(existing, { logId, logEnd, wordsId })) return existing;
    const { log: ownLog, position } = progressOf(existing);
    if (ownLog === logId && Number(position) > logEnd) {
      log.error(
        { file, position, logEnd },
        "the log ends before events that were already shown: events are lost",
      );
    }
    log.info({ file }, "rebuilding the list of plans");
    existing.close();
  }
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const fresh = open(file);
  fresh.exec(SCHEMA);
  fresh
    .prepare("INSERT INTO progress VALUES ('log', ?), ('words', ?), ('position', '0')")
    .run(logId, wordsId);
  return fresh;
}

function tryOpen(file: string, log: Logger): DatabaseSync | undefined {
  try {
    return open(file);
  } catch (error) {
    log.warn({ file, reason: describeError(error) }, "cannot read the list of plans");
    return undefined;
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isUsable(
  database: DatabaseSync,
  { logId, logEnd, wordsId }: { readonly logId: string; readonly logEnd: number; readonly wordsId: string },
): boolean {
  if (database.prepare("PRAGMA user_version").get()?.["user_version"] !== VERSION) return false;
  const { log, position, words = "" } = progressOf(database);
  return log === logId && words === wordsId && Number(position) <= logEnd;
}

/** The position that the file records. Empty for a file whose version did not record it. */
export function progressOf(database: DatabaseSync): Readonly<Record<string, string>> {
  try {
    const rows = database.prepare("SELECT name, value FROM progress").all();
    return Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]));
  } catch {
    return {};
  }
}
