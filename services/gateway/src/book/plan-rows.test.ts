import { NO_USAGE, PlanId, type PlanOutline } from "@planwright/plan";
import { createLogger } from "@planwright/shared/service";
import { mkdtempDisposable } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { prepareWritePlan } from "./plan-rows.ts";
import { openProjectionFile } from "./projection-file.ts";

it("keeps the newer version of a plan when the log is read again (PROJECTION-2)", async () => {
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), "planwright-rows-"));
  const log = createLogger({ name: "test", level: "silent" });
  const file = path.join(folder.path, "plans.sqlite");
  using database = openProjectionFile({ file, logId: "log", logEnd: 10, log });
  const write = prepareWritePlan(database);
  const about = {
    tenant: "t",
    goal: "g",
    metadata: {},
    strategy: "parallel" as const,
    submittedAt: "2026-01-01T00:00:00Z",
  };
  const after = (seq: number, status: string): void => {
    const outline: PlanOutline = {
      ...about,
      status,
      seq,
      usage: NO_USAGE,
      done: 0,
      total: 1,
      percent: 0,
    } as const;
    write({ planId: PlanId.parse("p"), sequence: 1, outline });
  };
  const shown = () => database.prepare("SELECT seq, status FROM plans").all();
  after(2, "running");
  after(1, "planning");
  expect(shown()).toEqual([{ seq: 2, status: "running" }]);
  after(3, "paused");
  expect(shown()).toEqual([{ seq: 3, status: "paused" }]);
});
