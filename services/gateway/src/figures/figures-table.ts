/**
 * The table of ended plans' metrics: a narrow row for each plan, in the order in which plans ended, and running totals.
 *
 * Sub-plans have no row: they count in the metrics of the plan that was submitted.
 */
import type { PlanFigures } from "@planwright/plan";

/** The values that are counted per plan and added up unchanged. */
export const COUNTS = [
  "steps",
  "stepsFailed",
  "replans",
  "decisions",
  "planEdits",
  "argumentEdits",
  "mutationsIdempotent",
  "mutationsOnce",
  "toolCalls",
  "toolCallsMin",
  "modelCalls",
  "modelCallsMin",
  "inputTokens",
  "outputTokens",
] as const satisfies readonly (keyof PlanFigures)[];
type CountName = (typeof COUNTS)[number];

/** The sums over plans, each derived from their rows. */
export const SUMS = {
  plans: "count(*)",
  succeeded: "sum(outcome = 'succeeded')",
  partial: "sum(outcome = 'partial')",
  refused: "sum(outcome = 'refused')",
  failed: "sum(outcome = 'failed')",
  cancelled: "sum(outcome = 'cancelled')",
  unaided: "sum(outcome = 'succeeded' AND planEdits + argumentEdits + isFork = 0)",
  forks: "sum(isFork)",
  costUsd: "total(costUsd)",
  costsKnown: "count(costUsd)",
  planned: "count(planningMs)",
  planningMs: "ifnull(sum(planningMs), 0)",
  plannedMs: "ifnull(sum(iif(planningMs IS NULL, 0, durationMs)), 0)",
  rated: "count(rating)",
  ratingSum: "ifnull(sum(rating), 0)",
  ...(Object.fromEntries(COUNTS.map((name) => [name, `sum(${name})`])) as Record<CountName, string>),
} as const;
export type SumName = keyof typeof SUMS;
export const SUM_NAMES = Object.keys(SUMS) as readonly SumName[];

/** Upper bounds of the duration classes of the totals. */
export const DURATION_CLASSES_MS = [100, 1_000, 10_000, 60_000, 600_000, 3_600_000] as const;
type DurationClass = (typeof DURATION_CLASSES_MS)[number];

/** The column that counts the plans no slower than this bound. */
export function withinName<Class extends DurationClass>(ms: Class): `within${Class}` {
  return `within${ms}`;
}

/** The totals of a strategy and outcome. */
export const TOTAL_NAMES = [
  "plans",
  "durationMs",
  "planningMs",
  "plannedMs",
  "costUsd",
  "forks",
  "rated",
  "ratingSum",
  ...COUNTS,
  ...DURATION_CLASSES_MS.map((ms) => withinName(ms)),
] as const;
export type TotalName = (typeof TOTAL_NAMES)[number];

/** Totals outlive the rows they were made of, so that counters made of them never decrease. */
export const FIGURES_SCHEMA = `
  CREATE TABLE plan_figures (
    tenant TEXT NOT NULL,
    endedMs INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    strategy TEXT NOT NULL,
    outcome TEXT NOT NULL,
    durationMs INTEGER NOT NULL,
    planningMs INTEGER,
    costUsd REAL,
    isFork INTEGER NOT NULL,
    rating INTEGER,
    ratings INTEGER NOT NULL,
    ${COUNTS.map((name) => `${name} INTEGER NOT NULL`).join(",\n    ")},
    PRIMARY KEY (tenant, endedMs, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE figure_totals (
    strategy TEXT NOT NULL,
    outcome TEXT NOT NULL,
    ${TOTAL_NAMES.map((name) => `${name} REAL NOT NULL`).join(",\n    ")},
    PRIMARY KEY (strategy, outcome)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER figures_rated AFTER UPDATE OF rating ON plan_figures BEGIN
    UPDATE figure_totals SET
      rated = rated + (OLD.rating IS NULL),
      ratingSum = ratingSum + NEW.rating - coalesce(OLD.rating, 0)
    WHERE strategy = NEW.strategy AND outcome = NEW.outcome;
  END;
`;
