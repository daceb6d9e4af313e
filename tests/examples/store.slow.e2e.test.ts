// The demo store, asked and changed by programs: the rows of the real file before and after each request.
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PlanId, PlanView } from "@planwright/plan";
import { SERVICE_NAMES } from "@planwright/testkit";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { exampleStage, stepOf } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";

const EXAMPLE = "examples/sunglasses-store";
const SEED = await readFile(path.join(EXAMPLE, "seed.sql"), "utf8");
const PYTHON = await readFile("services/executor/src/sandbox/testing/store-plan.py", "utf8");
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-store-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
await copyFile(path.join(EXAMPLE, "sources.json"), path.join(folder, "sources.json"));
const file = path.join(folder, "store.db");
reseed();

const shared = sharedSystem({
  alone: SERVICE_NAMES,
  services: { executor: { PLANWRIGHT_SOURCES: path.join(folder, "sources.json") } },
});
const { play } = exampleStage(shared);
beforeEach(reseed);

function reseed(): void {
  // Executors read the live file, so a writer waits for their locks.
  using database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`BEGIN; DROP TABLE IF EXISTS inventory; DROP TABLE IF EXISTS transactions; ${SEED}; COMMIT`);
}

type Rows = { readonly stock: Record<string, number>; readonly sold: readonly (readonly [number, number])[] };

/** How many there are of each item, and the amounts and balances after the opening one. */
function rows(): Rows {
  using database = new DatabaseSync(file);
  const items = database.prepare("SELECT name, quantity_in_stock AS n FROM inventory ORDER BY item_id").all();
  const sold = database
    .prepare(
      "SELECT transaction_amount AS a, balance_after_transaction AS b FROM transactions ORDER BY rowid",
    )
    .all();
  return {
    stock: Object.fromEntries(items.map((row) => [String(row["name"]), Number(row["n"])])),
    sold: sold.slice(1).map((row) => [Number(row["a"]), Number(row["b"])] as const),
  };
}
const SEEDED: Rows = {
  stock: { Aviator: 23, Wayfarer: 15, Mystique: 9, Sport: 11, Classic: 10, Moon: 8 },
  sold: [],
};
const changed = (stock: Record<string, number>, sold: Rows["sold"]): Rows => ({
  stock: { ...SEEDED.stock, ...stock },
  sold,
});

async function submit(goal: string, reply?: string, more: object = {}): Promise<PlanId> {
  const request = await play("sunglasses-store");
  if (reply !== undefined) shared.model.play({ write: [reply] });
  const { planId } = await shared.system.client.submit({ ...request, goal, maxReplans: 0, ...more });
  return planId;
}

async function untilWaiting(planId: PlanId): Promise<PlanView> {
  const { client } = shared.system;
  await expect
    .poll(async () => (await client.view(planId)).approvals.map(({ status }) => status))
    .toEqual(["pending"]);
  return client.view(planId);
}

async function decide(view: PlanView, decision: "approve" | "reject"): Promise<PlanView> {
  const { client } = shared.system;
  const [approval] = view.approvals;
  const response = await client.fetch(`/v1/plans/${view.planId}/approvals/${approval?.approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision }),
  });
  expect(response.status).toBe(200);
  return client.ended(view.planId);
}

const BUY = "I want to buy 3 pairs of classic sunglasses and 1 pair of aviator sunglasses.";
const SALE = changed({ Classic: 7, Aviator: 22 }, [
  [180, 680],
  [80, 760],
]);
const READ: readonly (readonly [request: string, status: string, text: RegExp])[] = [
  ["Do you have any round sunglasses in stock that are under $100?", "success", /Classic.*\$60/],
  ["I want to buy 11 Classic", "insufficient_stock", /10 pairs/],
  ["I want to buy Classic sunglasses", "invalid_request", /how many/],
  ["What is the weather in Rome?", "unsupported_intent", /sunglasses/],
  ["Do you have round sunglasses under $50?", "no_match", /Classic.*\$60/],
];
const CHANGE: readonly (readonly [request: string, after: Rows])[] = [
  ["Return 2 Aviator sunglasses I bought last week.", changed({ Aviator: 25 }, [[-160, 340]])],
  [BUY, SALE],
];

describe.each([
  ["javascript", undefined],
  ["python", `<execute_python>\n${PYTHON}\n</execute_python>`],
])("sunglasses-store in %s", (language, reply) => {
  it.each(READ)("%s is %s, and changes nothing", async (goal, status, text) => {
    const view = await shared.system.client.ended(await submit(goal, reply, { program: { language } }));
    expect(view).toMatchObject({
      status: "succeeded",
      answer: { status, text: expect.stringMatching(text) },
    });
    expect(view.approvals).toEqual([]);
    expect(shared.model.count("write")).toBe(1);
    expect(JSON.stringify(shared.model.calls("write"))).toContain(`<execute_${language}>`);
    expect(rows()).toEqual(SEEDED);
  });

  it.each(CHANGE)("%s changes exactly the rows that were shown, once it is approved", async (goal, after) => {
    const waiting = await untilWaiting(await submit(goal, reply, { program: { language } }));
    expect(rows()).toEqual(SEEDED);
    expect(waiting.approvals[0]).toMatchObject({
      args: {
        changes: expect.arrayContaining([
          expect.objectContaining({ table: "transactions", op: "insert" }),
          expect.objectContaining({ table: "inventory", op: "update" }),
        ]),
      },
    });
    const view = await decide(waiting, "approve");
    expect(view).toMatchObject({
      status: "succeeded",
      answer: { status: "success", text: expect.stringMatching(/^Done/) },
    });
    expect(view.effects).toHaveLength(1);
    expect(rows()).toEqual(after);
  });
});

describe("sunglasses-store", () => {
  it("changes nothing when a user rejects it, and does not ask again", async () => {
    const view = await decide(await untilWaiting(await submit(BUY)), "reject");
    expect(stepOf(view, "apply").error).toMatchObject({ code: "approval_rejected" });
    expect(view.answer?.text ?? "").not.toMatch(/^Done/);
    expect(view.revision).toBe(0);
    expect(rows()).toEqual(SEEDED);
  });

  it("names a sale in between, and writes the program again from the current rows", async () => {
    const request = await play("sunglasses-store");
    const { planId } = await shared.system.client.submit({ ...request, maxReplans: 1 });
    const waiting = await untilWaiting(planId);
    using other = new DatabaseSync(file);
    other.exec("UPDATE inventory SET quantity_in_stock = 4 WHERE name = 'Classic'");
    const [first] = waiting.approvals;
    await shared.system.client.fetch(`/v1/plans/${planId}/approvals/${first?.approvalId}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ decision: "approve" }),
    });
    const { client } = shared.system;
    await expect.poll(async () => (await client.view(planId)).approvals.length).toBe(2);
    const again = await client.view(planId);
    expect(stepOf(again, "apply").error).toMatchObject({
      code: "data_conflict",
      message: expect.stringContaining("inventory SG005: quantity_in_stock is 4 by now, it was 10"),
    });
    expect(rows()).toEqual(changed({ Classic: 4 }, []));
    const view = await decide(
      { ...again, approvals: again.approvals.filter(({ status }) => status === "pending") },
      "approve",
    );
    expect(view).toMatchObject({ status: "succeeded", revision: 1, answer: { status: "success" } });
    expect(rows()).toEqual({ ...SALE, stock: { ...SALE.stock, Classic: 1 } });
  });

  it.each([
    [
      "<execute_javascript>\nconst os = require('os'); answer_text = os.hostname(); STATUS = 'success';\n</execute_javascript>",
      "require",
    ],
    [
      "<execute_python>\nimport os\nanswer_text = str(os.environ)\nSTATUS = 'success'\n</execute_python>",
      "os",
    ],
  ])(
    "blocks code that reaches for the machine, after one chance, and reports it: %#",
    async (reply, word) => {
      const planId = await submit("Do you have round sunglasses?", reply);
      const view = await shared.system.client.ended(planId);
      expect(view.status).toBe("failed");
      expect(shared.model.count("write")).toBe(2);
      expect(JSON.stringify(view)).toContain(`${word} is not allowed`);
      expect(JSON.stringify(shared.model.calls("write").at(1))).toContain(`${word} is not allowed`);
      expect(rows()).toEqual(SEEDED);
    },
  );

  it("keeps pending approvals when every service is killed, and changes the rows once after that", async () => {
    const { planId } = await untilWaiting(await submit(BUY));
    const services = ["gateway", "planner", "executor", "reflector"] as const;
    for (const name of services) await shared.system.kill(name);
    expect(rows()).toEqual(SEEDED);
    for (const name of services) await shared.system.start(name);
    const view = await decide(await untilWaiting(planId), "approve");
    expect(view).toMatchObject({ status: "succeeded", answer: { status: "success" } });
    expect(rows()).toEqual(SALE);
  });

  it.each(["effect.before-run", "effect.after-run"])(
    "changes the rows once when the worker dies at %s",
    async (point) => {
      const { system } = shared;
      const sources = path.join(folder, "sources.json");
      const waiting = await untilWaiting(await submit(BUY));
      await system.end("executor");
      const doomed = await system.start("executor", {
        PLANWRIGHT_SOURCES: sources,
        PLANWRIGHT_FAULTS: `${point}=kill`,
      });
      const ended = decide(waiting, "approve");
      expect(await doomed.ended).toBe("SIGKILL");
      await system.start("executor");
      expect(await ended).toMatchObject({ status: "succeeded", answer: { status: "success" } });
      expect(rows()).toEqual(SALE);
    },
  );
});
