// A program's changes are made only to the rows that a person has approved: when the rows have changed meanwhile, the plan is revised.
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadExample } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const STORE = "examples/sunglasses-store";
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-store-"));
const file = path.join(folder, "store.db");
beforeAll(async () => {
  await copyFile(path.join(STORE, "sources.json"), path.join(folder, "sources.json"));
  using database = new DatabaseSync(file);
  database.exec(await readFile(path.join(STORE, "seed.sql"), "utf8"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const stage = sharedSystem({
  services: { executor: { PLANWRIGHT_SOURCES: path.join(folder, "sources.json") } },
});

const inStock = (): number => {
  using database = new DatabaseSync(file);
  const row = database.prepare("SELECT quantity_in_stock AS n FROM inventory WHERE name = 'Classic'").get();
  return Number(row?.["n"]);
};

it("makes no approved change to rows that changed meanwhile, and makes those of the revised program", async () => {
  const { client } = stage.system;
  const { script, request } = await loadExample("sunglasses-store");
  stage.model.play(script ?? {});
  const { planId } = await client.submit({ ...request, maxReplans: 1 });
  const approvals = async () => (await client.view(planId)).approvals;
  const approveLast = async () => {
    const { approvalId = "" } = (await approvals()).at(-1) ?? {};
    await client.api.plans.approvals.approve(planId, approvalId);
  };
  await expect.poll(async () => (await approvals()).length).toBe(1);
  {
    using other = new DatabaseSync(file);
    other.exec("UPDATE inventory SET quantity_in_stock = 4 WHERE name = 'Classic'");
  }
  await approveLast();
  await expect.poll(async () => (await approvals()).length).toBe(2);
  expect(inStock()).toBe(4);
  await approveLast();
  await client.ended(planId);
  expect(inStock()).toBe(1);
});
