import { NO_USAGE, type Usage } from "@planwright/plan";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { keyOwner, tenantOwner } from "./owner.ts";
import { openSpentDays, SPENT_SCHEMA, spentSince } from "./spent-days.ts";

const ANN = { tenant: "acme", identity: "acme/ann" };
const NOW = new Date("2026-03-15T12:00:00Z");
const nothing = { tokens: 0, usd: 0 };

function emptyDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(SPENT_SCHEMA);
  return database;
}

describe("model usage", () => {
  it("is counted by tenant and by key, for the day and for the month", () => {
    const spent = openSpentDays(emptyDatabase(), 0);
    spent.add({ ...ANN, at: "2026-03-15T00:00:00.000Z", tokens: 10, usd: 1 }, 1);
    spent.add({ ...ANN, identity: "acme/bob", at: "2026-03-15T23:59:59.999Z", tokens: 5, usd: 0.5 }, 2);
    spent.add({ ...ANN, at: "2026-03-02T09:00:00.000Z", tokens: 100, usd: 2 }, 3);
    spent.add({ ...ANN, identity: undefined, at: "2026-03-15T09:00:00.000Z", tokens: 1, usd: 0 }, 4);
    expect(spent.of(tenantOwner("acme"), NOW)).toEqual({
      day: { tokens: 16, usd: 1.5 },
      month: { tokens: 116, usd: 3.5 },
    });
    expect(spent.of(keyOwner("acme/ann"), NOW)).toEqual({
      day: { tokens: 10, usd: 1 },
      month: { tokens: 110, usd: 3 },
    });
    expect(spent.of(tenantOwner("other"), NOW)).toEqual({ day: nothing, month: nothing });
  });

  it("starts from zero in the next month, even when the log is read from an earlier one", () => {
    const database = emptyDatabase();
    const spent = openSpentDays(database, 0);
    spent.add({ ...ANN, at: "2026-02-28T23:00:00.000Z", tokens: 7, usd: 0 }, 1);
    spent.write();
    spent.written();
    spent.add({ ...ANN, at: "2026-03-01T00:00:00.000Z", tokens: 3, usd: 0 }, 2);
    spent.add({ ...ANN, at: "2026-02-28T23:59:00.000Z", tokens: 50, usd: 0 }, 3);
    spent.write();
    expect(spent.of(tenantOwner("acme"), NOW).month.tokens).toBe(3);
    expect(database.prepare("SELECT DISTINCT day FROM spent_days").all()).toEqual([{ day: "2026-03-01" }]);
  });

  it("is counted once when the log is read again, and a failed write is retried later", () => {
    const database = emptyDatabase();
    const first = openSpentDays(database, 0);
    first.add({ ...ANN, at: "2026-03-15T01:00:00.000Z", tokens: 10, usd: 1 }, 8);
    database.exec("BEGIN");
    first.write();
    database.exec("ROLLBACK");
    first.add({ ...ANN, at: "2026-03-15T02:00:00.000Z", tokens: 1, usd: 0 }, 9);
    first.write();
    first.written();
    const second = openSpentDays(database, 9);
    second.add({ ...ANN, at: "2026-03-15T02:00:00.000Z", tokens: 1, usd: 0 }, 9);
    second.add({ ...ANN, at: "2026-03-15T03:00:00.000Z", tokens: 4, usd: 0 }, 10);
    expect(second.of(keyOwner("acme/ann"), NOW).day).toEqual({ tokens: 15, usd: 1 });
  });
});

it("computes a plan's usage from two totals, and counts an unknown price as zero", () => {
  const sum = (inputTokens: number, costUsd: number | null): Usage => ({
    modelCalls: 1,
    inputTokens,
    outputTokens: 5,
    costUsd,
  });
  expect(spentSince(NO_USAGE, sum(10, 0.5))).toEqual({ tokens: 15, usd: 0.5 });
  expect(spentSince(sum(10, 0.5), sum(30, 0.75))).toEqual({ tokens: 20, usd: 0.25 });
  expect(spentSince(sum(10, 0.5), sum(30, null))).toEqual({ tokens: 20, usd: 0 });
  expect(spentSince(sum(10, null), sum(30, null))).toEqual({ tokens: 20, usd: 0 });
});
