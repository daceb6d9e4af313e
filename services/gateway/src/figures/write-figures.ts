/** Puts the figures of ended plans into the projection, and what is said of them afterwards. */
import type { FeedbackGiven, PlanId, PlanOutline } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";
import { COUNTS } from "./figures-table.ts";

const COLUMNS = ["strategy", "outcome", "durationMs", "planningMs", "costUsd", "ratings", ...COUNTS] as const;
const KEY = "tenant = :tenant AND endedMs = :endedMs AND sequence = :sequence";

export type FiguresWriter = {
  /** Nothing for an open plan, a sub-plan, or one whose figures nobody knows. */
  add(outline: PlanOutline, sequence: number): void;
  /** The last word counts. Nothing when the plan is not known to have ended. */
  rate(planId: PlanId, feedback: Pick<FeedbackGiven["data"], "number" | "rating">): void;
  /** Of a plan that leaves the list; to be called before it does. */
  remove(sequence: number): void;
};

/** Its functions want to be called inside a transaction. */
export function prepareFigures(database: DatabaseSync): FiguresWriter {
  const insert = database.prepare(`
    INSERT INTO plan_figures (tenant, endedMs, sequence, isFork, rating, ${COLUMNS.join(", ")})
    VALUES (:tenant, :endedMs, :sequence, :isFork, :rating, ${COLUMNS.map((name) => `:${name}`).join(", ")})
    ON CONFLICT DO UPDATE SET rating = excluded.rating, ratings = excluded.ratings
    WHERE excluded.ratings > plan_figures.ratings`);
  const update = database.prepare(
    `UPDATE plan_figures SET rating = :rating, ratings = :number WHERE ${KEY} AND ratings < :number`,
  );
  const drop = database.prepare(`DELETE FROM plan_figures WHERE ${KEY}`);
  const keyById = database.prepare("SELECT tenant, ended_ms, sequence FROM plans WHERE id = ?");
  const keyBySequence = database.prepare("SELECT tenant, ended_ms, sequence FROM plans WHERE sequence = ?");

  return {
    add({ tenant, endedAt, parent, figures }, sequence) {
      if (figures === undefined || endedAt === undefined || parent !== undefined) return;
      const values = Object.fromEntries(COLUMNS.map((name) => [name, figures[name]]));
      const { isFork, rating = null } = figures;
      const endedMs = Date.parse(endedAt);
      insert.run({ tenant, endedMs, sequence, isFork: isFork ? 1 : 0, rating, ...values });
    },
    rate(planId, { number, rating }) {
      const key = keyOf(keyById.get(planId));
      if (key !== undefined) update.run({ ...key, number, rating });
    },
    remove(sequence) {
      const key = keyOf(keyBySequence.get(sequence));
      if (key !== undefined) drop.run(key);
    },
  };
}

function keyOf(row: Readonly<Record<string, unknown>> | undefined) {
  if (row === undefined || typeof row["ended_ms"] !== "number") return undefined;
  const { tenant, ended_ms: endedMs, sequence } = row;
  return { tenant: String(tenant), endedMs, sequence: Number(sequence) };
}
