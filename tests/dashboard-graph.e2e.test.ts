// The graph of a plan, for people who look for something in it: by words, by keys and by links.
import { echo, wait } from "@planwright/testkit";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { expectWellBehaved, scriptedDashboardStage } from "./support/dashboard-stage.ts";

const stage = scriptedDashboardStage();

async function ended(goal: string, steps: readonly object[]): Promise<string> {
  const { client } = stage.system;
  const { planId } = await client.submit({ goal, plan: { steps, answerFrom: "start" } });
  await client.ended(planId);
  return planId;
}

const search = (page: Page) => page.getByRole("searchbox", { name: "Search steps" });
const said = (page: Page) => page.getByRole("search").getByRole("status");
const node = (page: Page, id: string) => page.locator(`.node[data-node="${id}"]`);
const focused = (page: Page) => page.evaluate("document.activeElement?.dataset.node");

it("finds steps in the graph, goes from match to match, and keeps the search in the address", async () => {
  const waits = ["a", "b", "c"].map((id) => wait(id, 1, { dependsOn: ["start"] }));
  const tail = Array.from({ length: 10 }, (_, index) =>
    echo(`tail${index}`, { value: index, dependsOn: ["join"] }),
  );
  const steps = [
    echo("start", { value: 1 }),
    ...waits,
    echo("join", { value: 2, dependsOn: ["a", "b", "c"] }),
    ...tail,
  ];
  const planId = await ended("find them", steps);
  const tab = await stage.browser.open(`${stage.system.url}/plans/${planId}`);
  const { page } = tab;
  await node(page, "start").waitFor();
  await page.keyboard.press("f");
  await search(page).pressSequentially("WAIT succeeded");
  await said(page).getByText("3 of 15 steps", { exact: true }).waitFor();
  const marked = page.locator('.node[data-found="true"]');
  expect(await marked.evaluateAll((all) => all.map((one) => one.getAttribute("data-node")))).toEqual(
    expect.arrayContaining(["a", "b", "c"]),
  );
  expect(await marked.count()).toBe(3);
  expect(await page.locator('.node[data-found="false"]').count()).toBe(12);
  expect(await axeFindings(page)).toEqual([]);
  const at = page.locator('.node[data-at="true"]');
  for (const [key, id] of [
    ["Enter", "a"],
    ["Enter", "b"],
    ["Shift+Enter", "a"],
    ["Shift+Enter", "c"],
  ]) {
    await page.keyboard.press(`${key}`);
    await expect.poll(() => at.getAttribute("data-node")).toBe(id);
  }
  await said(page).getByText("at the 3rd: c").waitFor();
  expect(await node(page, "c").getAttribute("tabindex")).toBe("0");

  await page.reload();
  await expect.poll(() => marked.count()).toBe(3);
  await page.getByRole("tab", { name: /^Steps/ }).click();
  await expect.poll(() => page.locator(".steps-table tbody tr").count()).toBe(3);
  await page.keyboard.press("f");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator(".steps-table tbody tr").count()).toBe(15);
  expect(new URL(page.url()).search).toBe("?tab=steps");
  await page.getByRole("tab", { name: "Graph" }).click();
  await node(page, "start").waitFor();
  expect(await page.locator(".node[data-found]").count()).toBe(0);

  const large = Array.from({ length: 200 }, (_, index) =>
    echo(`s${index}`, { value: index, dependsOn: ["start"] }),
  );
  const largeId = await ended("find in groups", [echo("start", { value: 1 }), ...large]);
  await page.goto(`${stage.system.url}/plans/${largeId}?find=s19`);
  await node(page, "group:s0").getByText("11 found").waitFor();
  await search(page).press("Shift+Enter");
  const group = page.getByRole("region", { name: "Steps in this group" });
  await group.locator('[data-at="true"]').getByText("s199", { exact: true }).waitFor();
  expect(await group.getByRole("listitem").count()).toBe(11);
  await search(page).fill("nothing has this");
  await said(page).getByText("0 of 201 steps").waitFor();
  expectWellBehaved(tab);
});

it("is gone through with the arrow keys from one tab stop, and says what each node is", async () => {
  const sides = ["a", "b", "c"].map((id) => echo(id, { description: `Say ${id}`, dependsOn: ["start"] }));
  const planId = await ended("walk along", [
    echo("start", { value: 1 }),
    ...sides,
    echo("join", { value: 2, dependsOn: ["a", "b", "c"] }),
  ]);
  const tab = await stage.browser.open(`${stage.system.url}/plans/${planId}`);
  const { page } = tab;
  await node(page, "join").waitFor();
  await page.getByRole("tab", { name: "Graph" }).focus();
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("start");
  const path: unknown[] = [];
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "Home", "End"]) {
    await page.keyboard.press(key);
    path.push(await focused(page));
  }
  expect(path).toEqual(["b", "c", "c", "join", "join", "start", "join"]);
  await page.keyboard.press("ArrowLeft");
  expect(await page.locator('.node[tabindex="0"]').count()).toBe(1);
  const name = /Succeeded.*Say b.*1 dependency, 1 dependent/s;
  expect(await page.getByRole("button", { name }).getAttribute("data-node")).toBe("b");
  await page.keyboard.press("Enter");
  await page.getByTestId("step-drawer").getByText("Say b").first().waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("b");
  await page.keyboard.press("?");
  await page
    .getByRole("dialog", { name: "Keyboard shortcuts" })
    .getByText("In the graph: go to a sibling step")
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByText("Show shortcuts").waitFor();
  expect(await help.getByText("In the graph").count()).toBe(0);
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("tab", { name: "Graph" }).click();
  await node(page, "start").waitFor();
  await node(page, "start").focus();
  await page.keyboard.press("ArrowDown");
  expect(await focused(page)).toMatch(/^[abc]$/);
  await page.keyboard.press("ArrowDown");
  expect(await focused(page)).toBe("join");
  // Wherever it stands, what has the keyboard is brought into view.
  const place = async () => (await node(page, "join").boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
  await expect.poll(async () => (await place()).x).toBeGreaterThanOrEqual(0);
  const { x, width } = await place();
  expect(x + width).toBeLessThanOrEqual(360);
  expectWellBehaved(tab);
});

it("leads to one item of a list and to one turn of a loop, copies such links, and says where one leads nowhere", async () => {
  const turn = (thought: string, tool: string | null, args: object, result: string | null = null) =>
    JSON.stringify({
      thought,
      tool,
      argsJson: JSON.stringify(args),
      result,
      requiresReplan: false,
      reason: null,
    });
  stage.model.play({
    react_turn: [
      turn("first I add", "math.evaluate", { expression: "2 + 3" }),
      turn("then I double", "math.evaluate", { expression: "5 * 2" }),
      turn("that is all", null, {}, "10"),
    ],
  });
  const list = Array.from({ length: 120 }, (_, index) => `value ${index}`);
  const planId = await ended("many items", [
    echo("start", { value: list }),
    echo("each", { value: { $ref: "item" }, forEach: { $ref: "start.output" } }),
    { id: "loop", tool: "agent.react", args: { goal: "count", tools: ["math.evaluate"] } },
  ]);
  const address = `${stage.system.url}/plans/${planId}`;
  const tab = await stage.browser.open(`${address}?tab=steps&step=each&item=90`, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = tab;
  const drawer = page.getByTestId("step-drawer");
  const open = drawer.locator('[data-testid="item"]:has(> details[open])');
  const expectInView = (place: Locator) =>
    expect
      .poll(async () => {
        const [inner, outer] = await Promise.all([
          place.locator("summary").first().boundingBox(),
          drawer.locator(".drawer-body").boundingBox(),
        ]);
        return inner !== null && outer !== null && inner.y >= outer.y && inner.y < outer.y + outer.height;
      })
      .toBe(true);
  await open.getByRole("heading", { name: "Attempts" }).waitFor();
  expect(await open.locator(".turn-number").allTextContents()).toEqual(["90"]);
  await expectInView(open);
  expect(await axeFindings(page)).toEqual([]);
  const copied = () => page.evaluate("navigator.clipboard.readText()");
  await open.getByRole("button", { name: "Copy the link to item 90" }).click();
  await expect.poll(copied).toBe(`${address}?tab=steps&step=each&item=90`);
  await drawer.getByRole("button", { name: "Copy the link to this step" }).click();
  await expect.poll(copied).toBe(`${address}?tab=steps&step=each`);
  const problem = page.getByTestId("place-problem");
  expect(await problem.count()).toBe(0);

  // Another step has other places.
  await page.getByRole("tabpanel").getByRole("button", { name: /^loop/ }).press("Enter");
  await drawer.getByText("then I double").first().waitFor();
  expect(new URL(page.url()).search).toBe("?tab=steps&step=loop");
  expect(await problem.count()).toBe(0);

  await page.goto(`${address}?step=loop&turn=1`);
  const first = drawer.locator('[data-testid="turn"]:has(> details[open])').first();
  await first.getByRole("heading", { name: "Call of math.evaluate" }).waitFor();
  expect(await first.locator(".turn-number").textContent()).toBe("1");
  await expectInView(first);
  await first.getByRole("button", { name: "Copy the link to turn 1" }).click();
  await expect.poll(copied).toBe(`${address}?step=loop&turn=1`);

  await page.goto(`${address}?step=loop&turn=12`);
  await problem.getByText("This step has no turn 12: it has turns 1 to 2.").waitFor();
  await drawer.getByText("then I double").first().waitFor();
  await page.goto(`${address}?step=each&item=%3Cimg%20src%3Dx%3E`);
  await problem.getByText("This step has no item “<img src=x>”: it has items 0 to 119.").waitFor();
  expect(await drawer.getByTestId("item").count()).toBe(50);
  await page.goto(`${address}?step=start&item=1`);
  await problem.getByText("This step runs once; it has no item 1.").waitFor();
  await page.goto(`${address}?step=gone`);
  await page.getByText("This plan has no step gone.").waitFor();
  await page.getByRole("button", { name: "Close note" }).click();
  expect(new URL(page.url()).search).toBe("");
  expectWellBehaved(tab);
});
