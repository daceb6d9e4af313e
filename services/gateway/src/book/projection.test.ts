import { NO_USAGE, PlanId, type PlanOutline } from "@planwright/plan";
import { createLogger } from "@planwright/shared/service";
import { copyFile, mkdtempDisposable } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { createProjection } from "./projection.ts";
import { openProjectionFile } from "./projection-file.ts";

const log = createLogger({ name: "test", level: "silent" });
const options = { log, forgetAfterMs: 0, now: () => new Date() };

function told(name: string, sequence: number, endedAt?: string) {
  const outline: PlanOutline = {
    tenant: "t",
    goal: "g",
    metadata: {},
    strategy: "parallel",
    status: endedAt === undefined ? "running" : "succeeded",
    submittedAt: "2026-01-01T00:00:00Z",
    ...(endedAt === undefined ? {} : { endedAt, outcome: "succeeded" as const }),
    seq: endedAt === undefined ? 1 : 2,
    usage: NO_USAGE,
    done: 0,
    total: 1,
    percent: 0,
  };
  return { planId: PlanId.parse(name), outline: () => outline, sequence, isEnded: endedAt !== undefined };
}

it("leaves new open plans to later batches, and reads the log again from the first of them (PROJECTION-1)", async () => {
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), "planwright-projection-"));
  const file = path.join(folder.path, "plans.sqlite");
  const open = (of: string) => openProjectionFile({ file: of, logId: "log", logEnd: 20, log });
  const database = open(file);
  using projection = createProjection(database, options);
  projection.note(told("ended", 5, "2026-01-01T00:00:01Z"));
  projection.note(told("open", 7));
  projection.note(told("late", 9));
  projection.reached(12);
  const rows = () => database.prepare("SELECT id FROM plans ORDER BY sequence").all();
  await expect.poll(rows).toEqual([{ id: "ended" }]);

  // A copy shows what another process would find when opening the file now.
  const copy = path.join(folder.path, "copy.sqlite");
  await copyFile(file, copy);
  await copyFile(`${file}-wal`, `${copy}-wal`);
  using after = createProjection(open(copy), options);
  expect(after.resumeFrom).toBe(7);

  await expect.poll(rows).toEqual([{ id: "ended" }, { id: "open" }, { id: "late" }]);
  projection.note(told("brief", 14));
  projection.flush();
  expect(rows()).toHaveLength(4);
});
