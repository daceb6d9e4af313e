// A plan's page: its menu, its exports and printout, the order of its steps, and its first tab on a phone.
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("graphs");
const planId = planIn(recording, "joined");
const address = `/plans/${planId}`;

it("exports the plan as a report, a diagram and JSON", async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved.push(blob as Blob);
    return "blob:saved";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const { user } = openPage(address, recording);
  for (const name of ["Export as Markdown report", "Export as Mermaid diagram", "Export as JSON"]) {
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(screen.getByRole("button", { name }));
  }
  const [report = "", diagram = "", json = ""] = await Promise.all(saved.map((blob) => blob.text()));
  expect(report).toContain("| `b` | Wait b |");
  expect(diagram).toMatch(/^flowchart LR\n/);
  expect(diagram).toContain("b: Wait b");
  expect(JSON.parse(json)).toMatchObject({ planId });
});

it("closes its menu on Escape and returns to the button", async () => {
  const { user } = openPage(address, recording);
  const button = await screen.findByRole("button", { name: "More actions" });
  await user.click(button);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("button", { name: "Print" })).toBeNull();
  expect(document.activeElement).toBe(button);
});

it("lists the slowest steps first, in the list and in the timeline, and keeps that in the address", async () => {
  // Its steps have different wait times, however fast the recording machine was.
  const timed = await recordingOf("timed");
  const { user } = openPage(`/plans/${planIn(timed, "timed")}?tab=steps`, timed);
  const took = () =>
    [...document.querySelectorAll("[data-part=steps-table] td:last-child")].map((cell) => cell.textContent);
  await waitFor(() => expect(took()).toHaveLength(7));
  const inPlanOrder = took();
  await user.click(screen.getByRole("button", { name: "Took" }));
  expect(location.search).toBe("?tab=steps&sort=slowest");
  expect(screen.getByRole("columnheader", { name: "Took" }).getAttribute("aria-sort")).toBe("descending");
  expect(took()).toEqual(inPlanOrder.toSorted((left, right) => msOf(right) - msOf(left)));
  expect(took()).not.toEqual(inPlanOrder);
  await user.click(screen.getByRole("button", { name: "Took" }));
  expect(took()).toEqual(inPlanOrder);
});

it("prints all steps as a table from any tab", async () => {
  openPage(address, recording);
  await screen.findByRole("tab", { name: "Graph", selected: true });
  act(() => void dispatchEvent(new Event("beforeprint")));
  expect(document.querySelectorAll("[data-part=steps-table] tbody tr")).toHaveLength(15);
  act(() => void dispatchEvent(new Event("afterprint")));
  await waitFor(() => expect(document.querySelector("[data-part=steps-table]")).toBeNull());
});

it("shows the list of steps first on a phone, and the graph on request", async () => {
  const { innerWidth } = window;
  onTestFinished(() => void Object.assign(window, { innerWidth }));
  Object.assign(window, { innerWidth: 390 });
  const { user } = openPage(address, recording);
  await screen.findByRole("tab", { name: /^Steps/, selected: true });
  await user.click(screen.getByRole("tab", { name: "Graph" }));
  expect(location.search).toBe("?tab=graph");
  await user.click(screen.getByRole("tab", { name: /^Steps/ }));
  expect(location.search).toBe("");
});

function msOf(text: string | null): number {
  const [, amount = "0", unit = "ms"] = /([\d.]+) (ms|s)/.exec(text ?? "") ?? [];
  return Number(amount) * (unit === "s" ? 1_000 : 1);
}

it("lists the ids of the plan and the trace among its details", async () => {
  openPage(address, recording);
  const details = (await screen.findByText("Plan details")).closest("details") as HTMLElement;
  expect(within(details).getByText(planId)).toBeDefined();
  expect(within(details).getByTestId("trace-id").textContent).toMatch(/^[\da-f]{32}$/);
});
