// Examples of strategies and of the rules below them, on the whole system as processes.
import { judgementText, planPieces } from "@planwright/testkit";
import type { PlanView } from "@planwright/plan";
import { afterAll, expect, it } from "vitest";
import { endOf, exampleStage, startOf, stepOf } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";
import { readReport } from "../support/read-report.ts";
import { startPages } from "../support/start-pages.ts";

const pages = await startPages("examples/competitive-analysis/pages", { together: 9 });
afterAll(() => pages[Symbol.asyncDispose]());
const shared = sharedSystem({ services: { executor: { HTTP_FETCH_ALLOW: pages.host } } });
const { play, runToEnd } = exampleStage(shared);

it("tree-search-24: visits, choices, backtrack and best path are those computed by hand", async () => {
  const view = await runToEnd(await play("tree-search-24"));
  expect(view).toMatchObject({
    status: "succeeded",
    strategy: "tree-search",
    answer: { status: "success", text: "(10 - 4) * (13 - 9) = 24", sources: ["b", "b1", "c"] },
  });
  const { search } = view;
  // Worked out by hand beside packages/plan/src/tree-search/search-tree.test.ts, with the same values.
  expect(search?.rounds).toEqual([
    { round: 1 },
    { round: 2, leaf: "a" },
    { round: 3, leaf: "b" },
    { round: 4, leaf: "b1" },
  ]);
  expect(
    search?.nodes.map(({ id, visits, meanValue }) => [id, visits, Number(meanValue.toFixed(4))]),
  ).toEqual([
    ["a", 3, 0.3667],
    ["b", 5, 0.64],
    ["a1", 1, 0.2],
    ["a2", 1, 0.1],
    ["b1", 3, 0.7667],
    ["b2", 1, 0.3],
    ["c", 1, 1],
    ["d", 1, 0.4],
  ]);
  expect(search?.root).toEqual({ visits: 8, meanValue: expect.closeTo(4.3 / 8) });
  expect(search?.bestPath).toEqual(["b", "b1", "c"]);
  expect(search?.nodes.find(({ id }) => id === "c")).toMatchObject({
    status: "solved",
    parent: "b1",
    depth: 3,
  });
  // One proposal and one look a round, and the answer.
  expect([shared.model.count("plan"), shared.model.count("values"), shared.model.count("judgement")]).toEqual(
    [4, 4, 1],
  );
  const last = shared.model.calls("judgement").at(-1);
  expect(JSON.stringify(last), "the answer is made of the best path alone").not.toContain("9 + 13");
});

it("tree search: the actions of a round run at the same time", async () => {
  const ids = ["a", "b", "c"];
  shared.model.play({
    plan: () =>
      planPieces({ steps: ids.map((id) => ({ id, tool: "flow.wait", args: { ms: 700, value: id } })) }),
    values: () =>
      JSON.stringify({ values: ids.map((id) => ({ id, value: 1, solved: true, reason: "waited" })) }),
    judgement: () => judgementText({ text: "waited", sources: ["a"] }),
  });
  const view = await runToEnd({ goal: "wait", strategy: "tree-search", search: { width: 3 } });
  expect(view).toMatchObject({ status: "succeeded", search: { rounds: [{ round: 1 }], bestPath: ["a"] } });
  expect(Math.max(...ids.map((id) => startOf(view, id)))).toBeLessThan(
    Math.min(...ids.map((id) => endOf(view, id))),
  );
});

it("retry-backoff: waits of 1, 2 and 4 s at the server, and a fatal error is not retried", async () => {
  const view = await runToEnd(await play("retry-backoff"));
  expect(view).toMatchObject({ status: "partial", answer: { status: "partial" } });
  expect(view.answer?.text).toContain("It worked.");
  const flaky = stepOf(view, "flaky");
  const waits = flaky.failedAttempts.map(({ at, retryAt }) => Date.parse(retryAt) - Date.parse(at));
  expect(waits).toHaveLength(3);
  for (const [index, least] of [1_000, 2_000, 4_000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(least);
    expect(waits[index]).toBeLessThanOrEqual(least * 1.25 + 1);
  }
  // The server let each wait pass before the next attempt could fail or succeed.
  const [, second, third] = flaky.failedAttempts;
  expect(Date.parse(second?.at ?? "")).toBeGreaterThanOrEqual(retryAt(flaky, 0));
  expect(Date.parse(third?.at ?? "")).toBeGreaterThanOrEqual(retryAt(flaky, 1));
  expect(Date.parse(flaky.endedAt ?? "")).toBeGreaterThanOrEqual(retryAt(flaky, 2));
  expect(stepOf(view, "fatal")).toMatchObject({
    status: "failed",
    attempt: 1,
    failedAttempts: [],
    error: { code: "model_refused" },
  });
});

it("competitive-analysis: twelve tool calls, nine of them in parallel, and a report with its table and chart", async () => {
  const request = await play("competitive-analysis");
  const constraints = [`The pages about the competitors are at ${pages.url}.`];
  const view = await runToEnd({ ...request, constraints });
  expect(view).toMatchObject({ status: "succeeded", progress: { percent: 100 } });
  expect(new Set(view.steps.map(({ id }) => Number.parseInt(id.slice(1), 10))).size).toBe(8);
  const callsOf = ({ items, status, attempt }: PlanView["steps"][number]) =>
    (items ?? [{ status, attempt }]).map((one) => [one.status, one.attempt]);
  const calls = view.steps.filter(({ tool }) => tool !== "model.write").flatMap(callsOf);
  expect(calls).toEqual(Array.from({ length: 12 }, () => ["succeeded", 1]));
  const items = view.steps.flatMap((step) => step.items ?? []);
  expect(items).toHaveLength(9);
  expect(pages.asked).toHaveLength(9);
  // The pages come only when all nine have been asked for; and the log says the same.
  expect(Math.max(...items.map(({ startedAt }) => Date.parse(startedAt ?? "")))).toBeLessThanOrEqual(
    Math.min(...items.map(({ endedAt }) => Date.parse(endedAt ?? ""))),
  );
  const file = async (name: string): Promise<string> => {
    const response = await shared.system.client.fetch(`/v1/plans/${view.planId}/artifacts/files/${name}`);
    expect(response.status, name).toBe(200);
    return response.text();
  };
  const report = readReport(await file("report.html"));
  const competitors = ["Highpeak", "Trailhouse", "Summit & Sons"];
  expect(report.tables.map((rows) => rows.map((cells) => cells[0]))).toEqual([
    ["competitor", ...competitors],
    ["Competitor", ...competitors],
  ]);
  expect(report.tables[1]?.[1]).toEqual(["Highpeak", "319", "169", "279"]);
  expect(report.charts).toEqual([expect.stringContaining("Trailhouse")]);
  expect(await file("report.pdf")).toMatch(/^%PDF-/);
  expect(stepOf(view, "s8").output).toMatchObject({ value: { pdf: { pages: 2 } } });
});

it("a cycle is named with its path", async () => {
  const steps = ["a", "b", "c"].map((id, index, ids) => ({
    id,
    tool: "flow.echo",
    args: { value: 1 },
    dependsOn: [ids[(index + 1) % ids.length]],
  }));
  const response = await shared.system.client.fetch("/v1/plans", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ goal: "turn in circles", plan: { steps } }),
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: "invalid_plan",
    detail: expect.stringMatching(/a.+b.+c.+a/),
  });
});

function retryAt({ failedAttempts }: ReturnType<typeof stepOf>, index: number): number {
  return Date.parse(failedAttempts[index]?.retryAt ?? "");
}
