// The Timeline tab, compared with the times in the plan's log.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { EventPage, PlanView } from "../src/api/api-types.ts";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { answerTo, atTheEnd, planIn } from "./support/recording.ts";

const recording = await recordingOf("timed");
const planId = planIn(recording, "timed");
const address = `/plans/${planId}?tab=timeline`;

it("shows the duration of each attempt and pause as logged, and the critical path", async () => {
  openPage(address, atTheEnd(recording));
  const { events } = answerTo<EventPage>(recording, `GET /v1/plans/${planId}/events?after=0`);
  const log = events.map(({ event }) => event);
  await findRow("last");
  for (const id of ["a", "b", "c", "slow", "save", "last"]) {
    const stored = log.flatMap((event) =>
      (event.type === "step.succeeded" || event.type === "step.failed") && event.data.stepId === id
        ? [Math.round(event.data.durationMs)]
        : [],
    );
    const shown = msOf(id, "tool");
    expect(shown.length, id).toBe(stored.length);
    for (const [index, ms] of stored.entries())
      expect(Math.abs((shown[index] ?? 0) - ms), id).toBeLessThan(3);
  }
  const failed = log.find((event) => event.type === "step.failed" && event.data.stepId === "slow");
  const again = log.find(
    (event) => event.type === "timer.fired" && event.data.timer.startsWith("retry-slow"),
  );
  const pausedMs = Date.parse(again?.at ?? "") - Date.parse(failed?.at ?? "");
  expect(Math.abs((msOf("slow", "retry")[0] ?? 0) - pausedMs)).toBeLessThan(3);

  const { criticalPath } = answerTo<PlanView>(recording, `GET /v1/plans/${planId}`);
  const critical = document.querySelectorAll<HTMLElement>(
    '[data-part=timeline-row][aria-label*="on the critical path"]',
  );
  expect(new Set([...critical].map(({ dataset }) => dataset["row"]))).toEqual(new Set(criticalPath.stepIds));
});

it("opens the step of a row by click and by keyboard, and marks the row as selected", async () => {
  const { user } = openPage(address, atTheEnd(recording));
  await user.click(await findRow("b"));
  const drawer = await screen.findByTestId("step-drawer");
  expect(within(drawer).getAllByText("Wait b")).not.toEqual([]);
  expect(new URLSearchParams(location.search).get("step")).toBe("b");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByTestId("step-drawer")).toBeNull());

  (await findRow("b")).focus();
  await user.keyboard("{ArrowDown}");
  await waitFor(() => expect(document.activeElement).toBe(rowOf("c")));
  await user.keyboard("{Enter}");
  expect(within(await screen.findByTestId("step-drawer")).getAllByText("Wait c")).not.toEqual([]);
  expect(rowOf("c")?.getAttribute("aria-selected")).toBe("true");
});

it("expands the items of a step, and collapses them by keyboard", async () => {
  const { user } = openPage(address, atTheEnd(recording));
  await user.click(await screen.findByRole("button", { name: "2 items of each" }));
  await findRow("each [1]");
  (await findRow("each")).focus();
  await user.keyboard("{ArrowLeft}");
  await waitFor(() => expect(rowOf("each [1]")).toBeNull());
});

it("shows in a tooltip how a row spent its time", async () => {
  const { user } = openPage(address, atTheEnd(recording));
  await user.hover(await findRow("slow"));
  expect((await screen.findByTestId("timeline-tip")).textContent).toContain("retry backoff");
});

it("shows an earlier event without anything that happened later", async () => {
  openPage(`${address}&seq=1`, atTheEnd(recording));
  await findRow("a");
  await waitFor(() => expect(document.querySelectorAll('[data-time][data-kind="tool"]')).toHaveLength(0));
});

it("shows a pending approval's wait grow, and with its logged duration once a user has approved", async () => {
  const { user } = openPage(address, recording);
  await findRow("save");
  const openWaitMs = () =>
    Number(
      rowOf("save")?.querySelector<HTMLElement>('[data-why="approval"][data-open="true"]')?.dataset["ms"],
    );
  const before = openWaitMs();
  await waitFor(() => expect(openWaitMs()).toBeGreaterThan(before));
  expect(
    screen.getByRole("row", { name: /^save.*needs your approval: files\.write is medium-risk/ }),
  ).toBeDefined();
  const waits = screen.getByRole("list", { name: "Waiting for" });
  expect(within(waits).getByText(/^Step save needs your approval/)).toBeDefined();

  await user.click(within(screen.getByTestId("approval")).getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(document.querySelector('[data-mark="ended"]')).not.toBeNull());
  expect(screen.queryByRole("list", { name: "Waiting for" })).toBeNull();
  const { events } = answerTo<EventPage>(recording, `GET /v1/plans/${planId}/events?after=0`);
  const log = events.map(({ event }) => event);
  const ready = log.find((event) => event.type === "step.succeeded" && event.data.stepId === "a");
  const decided = log.find(({ type }) => type === "approval.decided");
  const waitedMs = Date.parse(decided?.at ?? "") - Date.parse(ready?.at ?? "");
  expect(Math.abs((msOf("save", "wait", "approval")[0] ?? 0) - waitedMs)).toBeLessThan(3);
});

it("shares its selection with the graph", async () => {
  const { user } = openPage(address, atTheEnd(recording));
  await user.click(await findRow("c"));
  await screen.findByTestId("step-drawer");
  await user.click(screen.getByRole("tab", { name: "Graph" }));
  await waitFor(() =>
    expect(document.querySelector('[data-node="c"]')?.getAttribute("aria-pressed")).toBe("true"),
  );
});

function rowOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-part=timeline-row][data-row="${key}"]`);
}

async function findRow(key: string): Promise<HTMLElement> {
  return waitFor(() => {
    const row = rowOf(key);
    if (row === null) throw new Error(`there is no row ${key}`);
    return row;
  });
}

/** The durations of a bar's segments of one kind. */
function msOf(key: string, kind: string, why = ""): number[] {
  const segments = rowOf(key)?.querySelectorAll<HTMLElement>(
    `[data-time][data-kind="${kind}"]${why === "" ? ":not([data-why])" : `[data-why="${why}"]`}`,
  );
  return [...(segments ?? [])].map((segment) => Number(segment.getAttribute("data-ms")));
}
