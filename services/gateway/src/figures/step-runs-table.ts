/** The durations of earlier step runs, by tenant and kind: kept with the list of plans, and like it a cache of the log. */
import { kindKey, mergeRuns, type StepKind, type StepRuns } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";

/** The number of kinds kept per tenant; runs of further kinds are dropped. Plans can use any agent and model names. */
const KINDS_MAX = 1_000;

export type ToldRun = { readonly tenant: string; readonly kind: StepKind; readonly run: StepRuns };

const FIGURES = ["runs", "durationMs", "inputTokens", "outputTokens", "costUsd"] as const;
const KEY = "tenant = ? AND tool = ? AND agent = ? AND model = ?";

export const STEP_RUNS_SCHEMA = `
  CREATE TABLE step_runs (
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    runs INTEGER NOT NULL,
    durationMs REAL NOT NULL,
    inputTokens REAL NOT NULL,
    outputTokens REAL NOT NULL,
    costUsd REAL,
    PRIMARY KEY (tenant, tool, agent, model)
  ) STRICT, WITHOUT ROWID;
`;

type Row = StepKind & StepRuns;

/** @param countedTo - The position up to which the log has already been counted; earlier events are not counted again. */
export function gatherRuns(countedTo: number) {
  const gathered = new Map<string, ToldRun>();
  return {
    /** Merges runs of the same kind. `sequence` is the position of their event in the log. */
    add(told: ToldRun, sequence: number): void {
      if (sequence <= countedTo) return;
      const key = `${told.tenant}\n${kindKey(told.kind)}`;
      const before = gathered.get(key);
      gathered.set(key, before === undefined ? told : { ...told, run: mergeRuns(before.run, told.run) });
    },
    values: () => gathered.values(),
    clear: () => gathered.clear(),
  };
}

/** Makes the function that adds runs to the stored ones; call it inside a transaction. */
export function prepareStepRuns(database: DatabaseSync): (told: ToldRun) => void {
  const find = database.prepare(`SELECT ${FIGURES.join(", ")} FROM step_runs WHERE ${KEY}`);
  const count = database.prepare("SELECT count(*) AS kinds FROM step_runs WHERE tenant = ?");
  const put = database.prepare(`
    INSERT OR REPLACE INTO step_runs (tenant, tool, agent, model, ${FIGURES.join(", ")})
    VALUES (?, ?, ?, ?, ${FIGURES.map(() => "?").join(", ")})`);
  return ({ tenant, kind: { tool, agent, model }, run }) => {
    const key = [tenant, tool, agent, model] as const;
    // The columns are our own, and the table is strict.
    const before = find.get(...key) as StepRuns | undefined;
    if (before === undefined && Number(count.get(tenant)?.["kinds"]) >= KINDS_MAX) return;
    const runs = before === undefined ? run : mergeRuns(before, run);
    put.run(...key, ...FIGURES.map((name) => runs[name]));
  };
}

/** By `kindKey`. */
export function readStepRuns(database: DatabaseSync, tenant: string): ReadonlyMap<string, StepRuns> {
  const rows = database.prepare("SELECT * FROM step_runs WHERE tenant = ?").all(tenant) as unknown as Row[];
  return new Map(
    rows.map(({ tool, agent, model, runs, durationMs, inputTokens, outputTokens, costUsd }) => [
      kindKey({ tool, agent, model }),
      { runs, durationMs, inputTokens, outputTokens, costUsd },
    ]),
  );
}
