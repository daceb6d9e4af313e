// What the page shows of special kinds of plans: the tree of a search, programs with the rows that they change, and two plans side by side.
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { echo, loadExample } from "@planwright/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { expectWellBehaved, scriptedDashboardStage } from "./support/dashboard-stage.ts";
import { goTo } from "./support/go-to.ts";
import { picture, pictureTab } from "./support/picture.ts";

const STORE = "examples/sunglasses-store";
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-views-"));
const file = path.join(folder, "store.db");
beforeAll(async () => {
  await copyFile(path.join(STORE, "sources.json"), path.join(folder, "sources.json"));
  using database = new DatabaseSync(file);
  database.exec(await readFile(path.join(STORE, "seed.sql"), "utf8"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const stage = scriptedDashboardStage({
  services: { executor: { PLANWRIGHT_SOURCES: path.join(folder, "sources.json") } },
});
const HOSTILE = '<img src=x onerror="window.pwned=1">';
const PHONE = { viewport: { width: 360, height: 740 } };

const inStock = (name: string): number => {
  using database = new DatabaseSync(file);
  return Number(
    database.prepare("SELECT quantity_in_stock AS n FROM inventory WHERE name = ?").get(name)?.["n"],
  );
};

/** The words of the tree's rows, from the top. */
const rowsOf = (page: Page) => page.getByRole("treeitem").locator("code").allTextContents();

it("shows the tree of a search as it grows, by its keys, with what is known of each node", async () => {
  const { client, url } = stage.system;
  const { script, request } = await loadExample("tree-search-24");
  stage.model.play(script ?? {});
  const { planId } = await client.submit(request);
  // Opened before there is a search: the tab appears with it.
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=tree`, pictureTab("light", 980));
  const { page } = tab;
  await expect.poll(() => rowsOf(page)).toEqual(["a", "a1", "a2", "b", "b1", "c", "d", "b2"]);
  const row = (name: RegExp) => page.getByRole("treeitem", { name });
  await row(/On the best path: 6 \* 4.*Solved.*value 1\.00.*mean 1\.00.*1/).waitFor();
  expect(await row(/13 - 9/).getAttribute("aria-level")).toBe("2");
  expect(await row(/6 \+ 4/).getAttribute("aria-posinset")).toBe("2");
  await page.locator('.plan-facts [data-status="succeeded"]').waitFor();
  await row(/6 \+ 4.*Discarded/).waitFor();
  const settings = page.locator(".search-summary");
  for (const words of ["4 of max 4", "8 actions", "2 per round", "max 3"]) {
    await settings.getByText(words, { exact: true }).waitFor();
  }
  // Nobody has chosen a node: the best one is told of.
  const details = (id: string) => page.getByRole("region", { name: `Node ${id}`, exact: true });
  await details("c").getByText("24, and every number is used once").waitFor();
  await details("c").getByText("Evaluation").scrollIntoViewIfNeeded();
  await picture(page, "search-tree");
  expect(await axeFindings(page)).toEqual([]);

  await row(/9 \+ 13/).focus();
  await page.keyboard.press("ArrowLeft");
  expect(await rowsOf(page)).toEqual(["a", "b", "b1", "c", "d", "b2"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await details("b1").getByText("0.767, over 3 visits").waitFor();
  await details("b1").getByText("in round 4").waitFor();
  expect(await row(/13 - 9/).getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("End");
  expect(await page.evaluate("document.activeElement?.dataset.node")).toBe("b2");
  await page.getByRole("button", { name: "Expand all" }).click();
  expect(await page.getByRole("treeitem").count()).toBe(8);
  await page.getByRole("button", { name: "Show best path only" }).click();
  expect(await rowsOf(page)).toEqual(["a", "b", "b1", "c", "d", "b2"]);

  await details("b1").getByRole("button", { name: "b1", exact: true }).click();
  await page.getByTestId("step-drawer").getByRole("heading", { name: "13 - 9" }).waitFor();
  await page.reload();
  await details("b1").waitFor();
  expectWellBehaved(tab);

  const phone = await stage.browser.open(`${url}/plans/${planId}?tab=tree`, PHONE);
  await phone.page.getByRole("treeitem", { name: /6 \* 4/ }).waitFor();
  expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBe(360);
});

it("shows programs with their errors, versions, calls, and the rows before and after they are approved", async () => {
  const { client, url } = stage.system;
  const { script, request } = await loadExample("sunglasses-store");
  const [first] = [script?.["write"] ?? []].flat();
  if (typeof first !== "string") throw new Error("the store's program is not a text");
  const second = first.replace("// 1) Parse what", "// Again, as the rows are now.\n// 1) Parse what");
  stage.model.play({ write: [first, second] });
  const goal = "I want to buy 3 pairs of classic sunglasses and 1 pair of aviator sunglasses.";
  const { planId } = await client.submit({ ...request, goal, maxReplans: 1 });
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=code`, pictureTab("light", 820));
  const { page } = tab;
  const program = (name: string) => page.getByRole("region", { name: `Program ${name}`, exact: true });
  await program("dryrun").getByText("Not applied: 4 rows waiting for approval").waitFor();
  await program("dryrun").getByRole("cell", { name: "10 → 7" }).waitFor();
  await program("dryrun").getByText("LOG: ACTION=mutate STATUS=success", { exact: true }).waitFor();
  await program("dryrun").getByText("Rows before and after").scrollIntoViewIfNeeded();
  await picture(page, "code-plan");
  expect(await axeFindings(page)).toEqual([]);

  // A sale in between: the rows are not what was shown any more.
  {
    using other = new DatabaseSync(file);
    other.exec("UPDATE inventory SET quantity_in_stock = 4 WHERE name = 'Classic'");
  }
  await page.getByTestId("approval").getByRole("button", { name: "Approve" }).click();
  await program("dryrun").getByText("Conflict: the rows have changed; nothing was applied").waitFor();
  const again = page.getByRole("region", { name: /^Program .*, version 2$/ });
  await again.getByText("0 lines removed, 1 line added").waitFor();
  await again.getByText("// Again, as the rows are now.").first().waitFor();
  await again.getByRole("cell", { name: "4 → 1" }).waitFor();
  expect(inStock("Classic")).toBe(4);
  await page.getByTestId("approval").getByRole("button", { name: "Approve" }).click();
  await again.getByText("Applied: 4 rows").waitFor();
  await again.getByText(/^Effect .*: done at/).waitFor();
  expect(inStock("Classic")).toBe(1);
  expectWellBehaved(tab);

  const code = `console.log(${JSON.stringify(HOSTILE)});\nreturn tools.math.evaluate({ expression: "2 + 3" });`;
  const args = { language: "javascript", code, tools: ["math.evaluate"] };
  const wrong = { language: "python", code: "x = 1\ny = x['a']" };
  const calls = await client.submit({
    goal: "call a tool",
    plan: {
      steps: [
        { id: "calls", tool: "code.run", args },
        { id: "wrong", tool: "code.run", args: wrong, retry: { maxAttempts: 1 } },
      ],
    },
  });
  await client.ended(calls.planId);
  const phone = await stage.browser.open(`${url}/plans/${calls.planId}?tab=code`, PHONE);
  const onPhone = (name: string) => phone.page.getByRole("region", { name: `Program ${name}`, exact: true });
  await onPhone("calls").getByText("Returned").click();
  await onPhone("calls").getByText("2 + 3").nth(1).waitFor();
  await onPhone("calls").getByLabel("Printed output").getByText(HOSTILE, { exact: true }).waitFor();
  await onPhone("wrong").locator('.source-line[data-fault="true"]').getByText("y = x['a']").waitFor();
  expect(await phone.page.evaluate("[document.documentElement.scrollWidth, 'pwned' in window]")).toEqual([
    360,
    false,
  ]);
  expectWellBehaved(phone);
});

it("shows a fork beside its origin, also on a phone, without axe findings and without running foreign scripts", async () => {
  const { client, url } = stage.system;
  const goal = "Greet Ann, as it fits the time of day";
  const steps = [
    echo("who", { value: "Ann", description: "Say who" }),
    echo("hello", { value: "Good morning, Ann, and welcome" }),
    echo("end", { value: HOSTILE, description: HOSTILE, dependsOn: ["hello"] }),
  ];
  const origin = await client.submit({ goal, plan: { steps, answerFrom: "hello" } });
  await client.ended(origin.planId);
  const edits = { value: "Good evening, Ann, and welcome" };
  const { planId } = await client.api.plans.fork(origin.planId, { fromStep: "hello", edits });
  expect((await client.ended(planId)).answer?.text).toBe(edits.value);

  const address = `${url}/compare?left=${origin.planId}&right=${planId}`;
  const tab = await stage.browser.open(address, pictureTab("light", 900));
  const { page } = tab;
  await page.getByText("1 step different, 2 steps the same.").waitFor();
  await page.getByText("Output: different").click();
  await page.getByRole("button", { name: "Show 2 steps that are the same" }).click();
  await page.getByRole("region", { name: "Steps" }).getByText("carried over").waitFor();
  await picture(page, "compare");
  expect(await axeFindings(page)).toEqual([]);
  await goTo(page, `/compare?left=${planId}`);
  await page.getByRole("list", { name: "Plans with the same goal" }).getByText(origin.planId).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate("'pwned' in window")).toBe(false);
  expectWellBehaved(tab);

  const phone = await stage.browser.open(address, PHONE);
  await phone.page.getByText("1 step different, 2 steps the same.").waitFor();
  expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expectWellBehaved(phone);
});
