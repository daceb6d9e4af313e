// Times that grow while a step runs. The recordings are older than the tests: a time that follows another clock than the
// gateway's is hours off.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("started");
const address = `/plans/${planIn(recording, "started")}`;

it("counts a running step's time in the graph by the gateway's clock, and changes nothing else there", async () => {
  openPage(address, recording);
  const time = await find('[data-node="long"][data-status="running"] [data-part=node-time]');
  expect(await growing(() => time.textContent)).toBeLessThan(60);
  const queued = await find('[data-node="stuck"][data-status="queued"]');
  expect(queued.textContent).toContain("Queued");
  expect(queued.querySelector("[data-part=node-time]")?.textContent).toBe("");
  expect(await changedWhile(() => growing(() => time.textContent))).toEqual(["characterData of node-time"]);
});

it("counts the time of running and waiting steps in the list and in the timeline", async () => {
  const { user } = openPage(`${address}?tab=steps`, recording);
  await find("[data-part=steps-table] tbody tr");
  await growing(() => rowOf("long").querySelector("td.number")?.textContent);
  await growing(() => rowOf("next").querySelector("td:nth-child(2) > :last-child")?.textContent);
  expect(within(rowOf("stuck")).getByText("waits for a free worker in pool nobody")).toBeDefined();
  await user.click(screen.getByRole("tab", { name: "Timeline" }));
  const time = await find('[data-part=timeline-row][data-row="long"] [data-part=timeline-time]');
  await growing(() => time.textContent);
  expect(screen.getByRole("row", { name: /^stuck.*; queued;/ })).toBeDefined();
});

it("shows a running step as queued at an earlier event", async () => {
  openPage(`${address}?seq=1`, recording);
  expect(await find('[data-node="long"][data-status="queued"]')).toBeDefined();
});

it("counts the time of a running group of steps without rendering it", async () => {
  openPage(`/plans/${planIn(recording, "crowd")}`, recording);
  const time = await find('[data-node="group:w0"][data-status="running"] [data-part=node-time]');
  await growing(() => time.textContent);
  expect(time.textContent).toMatch(/^\d+ s · 0\/160$/);
  expect(await changedWhile(() => growing(() => time.textContent))).toEqual(["characterData of node-time"]);
});

async function find(selector: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`nothing fits ${selector}`);
    return found;
  });
}

/** Waits until a text of seconds has grown, and returns its first value. */
async function growing(text: () => string | null | undefined): Promise<number> {
  const seconds = () => Number(/(\d+) s/.exec(text() ?? "")?.[1] ?? Number.NaN);
  await waitFor(() => expect(seconds()).toBeGreaterThanOrEqual(0));
  const first = seconds();
  await waitFor(() => expect(seconds()).toBeGreaterThan(first));
  return first;
}

/** The changes in the graph meanwhile, by kind and place. */
async function changedWhile(wait: () => Promise<unknown>): Promise<string[]> {
  const changed = new Set<string>();
  const note = ({ target, type }: MutationRecord) =>
    changed.add(
      `${type} of ${target.parentElement?.closest("[data-part]")?.getAttribute("data-part") ?? target.nodeName}`,
    );
  const observer = new MutationObserver((records) => records.forEach(note));
  observer.observe(screen.getByTestId("plan-graph"), {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
  await wait();
  for (const record of observer.takeRecords()) note(record);
  observer.disconnect();
  return [...changed];
}

function rowOf(id: string): HTMLElement {
  const row = [...document.querySelectorAll<HTMLElement>("[data-part=steps-table] tbody tr")].find(
    (one) => one.querySelector("code")?.textContent === id,
  );
  if (row === undefined) throw new Error(`there is no row ${id}`);
  return row;
}
