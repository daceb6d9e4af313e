// The command line before the whole system: the demo store is made, seen, queried, and made anew under its eyes.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-cli-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The command as it is installed, found on the path of the workspace. */
async function planwright(...args: string[]): Promise<unknown> {
  const env = { PATH: process.env["PATH"] ?? "", PLANWRIGHT_DATA: folder };
  const run = promisify(execFile)("node_modules/.bin/planwright", [...args, "--json"], { env });
  return JSON.parse((await run).stdout);
}

await planwright("seed");
const shared = sharedSystem({ env: { PLANWRIGHT_SOURCES: path.join(folder, "sources.json") } });

const Sources = z.array(
  z.looseObject({ name: z.string(), writable: z.boolean(), tables: z.json().optional() }),
);
const data = async () => Sources.parse(await planwright("data", "--url", shared.system.url));

async function ask(sql: string) {
  const { client } = shared.system;
  const steps = [{ id: "ask", tool: "sql.query", args: { source: "store", sql } }];
  const { planId } = await client.submit({ goal: "ask the store", data: ["store"], plan: { steps } });
  return client.ended(planId);
}

it("lists every tool that there is, with its risk and effect", async () => {
  const Tools = z.array(
    z.object({ name: z.string(), risk: z.string(), effect: z.string(), pool: z.string() }),
  );
  const listed = Tools.parse(await planwright("tools", "--url", shared.system.url));
  const { tools } = z
    .object({ tools: Tools })
    .parse(await (await shared.system.client.fetch("/v1/tools")).json());
  expect(listed).toEqual(tools);
  expect(listed).toContainEqual({ name: "sql.query", risk: "low", effect: "read", pool: "default" });
});

it("shows the store that it has made, which plans query where it lies", async () => {
  await expect
    .poll(async () => (await data()).find(({ name }) => name === "store"))
    .toMatchObject({ writable: true, origin: "configuration", tables: [{ rows: 6 }, { rows: 1 }] });
  const sql =
    "SELECT item_id, price FROM inventory WHERE ' ' || description LIKE '% round %' AND price < 100";
  expect(await ask(sql)).toMatchObject({
    status: "succeeded",
    steps: [{ output: { value: { rows: [{ item_id: "SG005", price: 60 }] } } }],
  });
  using other = new DatabaseSync(path.join(folder, "store.db"));
  other.exec("UPDATE inventory SET quantity_in_stock = 0 WHERE item_id = 'SG005'");
  const stock = "SELECT quantity_in_stock AS n FROM inventory WHERE item_id = 'SG005'";
  expect(await ask(stock)).toMatchObject({ steps: [{ output: { value: { rows: [{ n: 0 }] } } }] });
  expect(await planwright("seed", "--force")).toMatchObject({ database: "renewed" });
  expect(await ask(stock)).toMatchObject({ steps: [{ output: { value: { rows: [{ n: 10 }] } } }] });
});

it("is not changed by a query", async () => {
  const before = new DatabaseSync(path.join(folder, "store.db"), { readOnly: true });
  const stock = before.prepare("SELECT sum(quantity_in_stock) AS n FROM inventory").get();
  expect(await ask("UPDATE inventory SET quantity_in_stock = 0 RETURNING 1")).toMatchObject({
    status: "failed",
  });
  expect(before.prepare("SELECT sum(quantity_in_stock) AS n FROM inventory").get()).toEqual(stock);
  before.close();
});
