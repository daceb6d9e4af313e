/**
 * Where the figures of ended plans are kept: a narrow row for each, in the order in which they ended, and running totals.
 *
 * Sub-plans have no row: what they did is in the figures of the plan that was submitted.
 */
import type { PlanFigures } from "@planwright/plan";

/** What is counted of a plan, and added up as it is. */
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
export type CountName = (typeof COUNTS)[number];

/** Upper bounds of the classes of times that the totals tell apart. */
export const DURATION_CLASSES_MS = [100, 1_000, 10_000, 60_000, 600_000, 3_600_000] as const;
type DurationClass = (typeof DURATION_CLASSES_MS)[number];

/** The column that counts the plans that took no longer. */
export function withinName<Class extends DurationClass>(ms: Class): `within${Class}` {
  return `within${ms}`;
}

/** The totals' other columns, each as it follows from a plan's row. */
const TOTALS = {
  plans: "1",
  durationMs: "NEW.durationMs",
  planningMs: "coalesce(NEW.planningMs, 0)",
  plannedMs: "iif(NEW.planningMs IS NULL, 0, NEW.durationMs)",
  costUsd: "coalesce(NEW.costUsd, 0)",
  forks: "NEW.isFork",
  rated: "NEW.rating IS NOT NULL",
  ratingSum: "coalesce(NEW.rating, 0)",
} as const;

export type TotalName = keyof typeof TOTALS | CountName | ReturnType<typeof withinName<DurationClass>>;

const ALL_TOTALS: readonly (readonly [name: TotalName, value: string])[] = [
  ...(Object.entries(TOTALS) as [keyof typeof TOTALS, string][]),
  ...COUNTS.map((name) => [name, `NEW.${name}`] as const),
  ...DURATION_CLASSES_MS.map((ms) => [withinName(ms), `NEW.durationMs <= ${ms}`] as const),
];
const TOTAL_NAMES = ALL_TOTALS.map(([name]) => name);

/** Totals outlive the rows that they were made of, so that counters made of them never fall. */
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
  CREATE TRIGGER figures_added AFTER INSERT ON plan_figures BEGIN
    INSERT INTO figure_totals (strategy, outcome, ${TOTAL_NAMES.join(", ")})
    VALUES (NEW.strategy, NEW.outcome, ${ALL_TOTALS.map(([, value]) => value).join(", ")})
    ON CONFLICT DO UPDATE SET ${TOTAL_NAMES.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")};
  END;
  CREATE TRIGGER figures_rated AFTER UPDATE OF rating ON plan_figures BEGIN
    UPDATE figure_totals SET
      rated = rated + (OLD.rating IS NULL),
      ratingSum = ratingSum + NEW.rating - coalesce(OLD.rating, 0)
    WHERE strategy = NEW.strategy AND outcome = NEW.outcome;
  END;
`;
