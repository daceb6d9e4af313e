/**
 * The model usage of plans, by tenant, key and day (UTC): kept with the list of plans, and like it a cache of the log. A deleted
 * plan still counts.
 */
import type { PlanEvent, Spent, Usage } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";
import { type Owner, ownersOf } from "./owner.ts";

export const SPENT_SCHEMA = `
  CREATE TABLE spent_days (
    owner TEXT NOT NULL,
    day TEXT NOT NULL,
    tokens REAL NOT NULL,
    usd REAL NOT NULL,
    PRIMARY KEY (owner, day)
  ) STRICT, WITHOUT ROWID;
`;

const DAY_CHARS = "2026-01-31".length;
const MONTH_CHARS = "2026-01".length;
const NOTHING: Spent = { tokens: 0, usd: 0 };

export type SpentDays = {
  /** Counts the usage in an event at `sequence`, only once even if the log is read again. */
  add(spent: Spent & Owner & Pick<PlanEvent, "at">, sequence: number): void;
  /** The spending of an owner (see `ownersOf`) in the day and the month that a time belongs to. */
  of(owner: string, now: Date): { readonly day: Spent; readonly month: Spent };
  /** Writes what was added since the last call; call it inside a transaction. */
  write(): void;
  /** Call this when that transaction has been committed. */
  written(): void;
};

/** @param countedTo - The position up to which the log has already been counted. */
export function openSpentDays(database: DatabaseSync, countedTo: number): SpentDays {
  const days = readDays(database);
  const changed = new Set<string>();
  const put = database.prepare(
    "INSERT OR REPLACE INTO spent_days (owner, day, tokens, usd) VALUES (?, ?, ?, ?)",
  );
  const forget = database.prepare("DELETE FROM spent_days WHERE day < ?");
  let month = "";
  let forgottenTo = "";

  /** Days of earlier months no longer limit anything. */
  const begin = (current: string): void => {
    if (current <= month) return;
    month = current;
    for (const ofOwner of days.values()) {
      for (const day of ofOwner.keys()) if (day < month) ofOwner.delete(day);
    }
  };

  return {
    add({ at, tokens, usd, ...owner }, sequence) {
      if (sequence <= countedTo || (tokens === 0 && usd === 0)) return;
      const day = at.slice(0, DAY_CHARS);
      begin(day.slice(0, MONTH_CHARS));
      if (day < month) return;
      for (const name of ownersOf(owner)) {
        const ofOwner = days.get(name) ?? new Map<string, Spent>();
        ofOwner.set(day, plus(ofOwner.get(day) ?? NOTHING, { tokens, usd }));
        days.set(name, ofOwner);
        changed.add(name);
      }
    },
    of(owner, now) {
      const today = now.toISOString().slice(0, DAY_CHARS);
      const ofOwner = days.get(owner) ?? new Map<string, Spent>();
      const ofMonth = [...ofOwner].filter(([day]) => day.startsWith(today.slice(0, MONTH_CHARS)));
      return {
        day: ofOwner.get(today) ?? NOTHING,
        month: ofMonth.reduce((sum, [, spent]) => plus(sum, spent), NOTHING),
      };
    },
    write() {
      if (changed.size === 0) return;
      if (forgottenTo < month) forget.run(month);
      forgottenTo = month;
      for (const owner of changed) {
        for (const [day, { tokens, usd }] of days.get(owner) ?? []) put.run(owner, day, tokens, usd);
      }
    },
    written: () => changed.clear(),
  };
}

/** A plan's usage since its last count. A model without a price counts as free. */
export function spentSince(before: Usage, after: Usage): Spent {
  const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;
  return {
    tokens: tokensOf(after) - tokensOf(before),
    usd: after.costUsd === null ? 0 : after.costUsd - (before.costUsd ?? 0),
  };
}

function readDays(database: DatabaseSync): Map<string, Map<string, Spent>> {
  const days = new Map<string, Map<string, Spent>>();
  for (const row of database.prepare("SELECT owner, day, tokens, usd FROM spent_days").all()) {
    const owner = String(row["owner"]);
    const ofOwner = days.get(owner) ?? new Map<string, Spent>();
    ofOwner.set(String(row["day"]), { tokens: Number(row["tokens"]), usd: Number(row["usd"]) });
    days.set(owner, ofOwner);
  }
  return days;
}

function plus(one: Spent, other: Spent): Spent {
  return { tokens: one.tokens + other.tokens, usd: one.usd + other.usd };
}
