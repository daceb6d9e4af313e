// The page's shortcuts. That a modal dialog blocks them is the work of a browser, and is tested in one.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("waiting");
/** This recording has the tools and data sources that the goal form offers. */
const system = await recordingOf("edited");
const planId = planIn(recording, "waiting");

it("does not treat typing in a field as shortcuts", async () => {
  const { user } = openPage("/", recording, system);
  const goal = await screen.findByRole("textbox", { name: "Goal" });
  await user.type(goal, "what? n/a");
  expect(goal).toHaveProperty("value", "what? n/a");
  expect(screen.queryByRole("dialog", { name: "Keyboard shortcuts" })).toBeNull();
});

it("navigates by shortcuts to the pages, to the goal field, and through the list into a plan", async () => {
  const { user, main } = openPage("/", recording, system);
  await screen.findByRole("textbox", { name: "Goal" });
  main().focus();
  await user.keyboard("gw");
  await within(main()).findByRole("table");
  expect(location.pathname).toBe("/workers");
  await user.keyboard("n");
  const goal = await screen.findByRole("textbox", { name: "Goal" });
  await waitFor(() => expect(document.activeElement).toBe(goal));

  main().focus();
  await waitFor(() => expect(rowOf(planId)).not.toBeNull());
  await user.keyboard("j");
  await waitFor(() => expect(document.activeElement).toBe(rowOf(planId)));
  await user.keyboard("{Enter}");
  expect(await screen.findByTestId("approval")).toBeDefined();
  expect(location.pathname).toBe(`/plans/${planId}`);
});

it("switches tabs, steps through the history, focuses the approval, and pauses and resumes a plan by shortcuts", async () => {
  const { user } = openPage(`/plans/${planId}`, recording);
  const approval = await screen.findByTestId("approval");
  await user.keyboard("2");
  await waitFor(() => expect(isSecondTabSelected()).toBe(true));
  // The library reads a single bracket as the start of a key's name.
  await user.keyboard("[[");
  await screen.findByRole("region", { name: "History" });
  await user.keyboard("]");
  await user.keyboard("]");
  await waitFor(() => expect(screen.queryByRole("region", { name: "History" })).toBeNull());
  await user.keyboard("a");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("approval")));
  expect(approval.isConnected).toBe(false);
  await user.keyboard("p");
  await screen.findByRole("button", { name: "Resume plan" });
  await user.keyboard("{Control>}p{/Control}");
  await user.keyboard("p");
  expect(await screen.findByRole("button", { name: "Pause plan" })).toBeDefined();
});

it("closes the step with Escape", async () => {
  const { user } = openPage(`/plans/${planId}?step=apply`, recording);
  await screen.findByTestId("step-drawer");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByTestId("step-drawer")).toBeNull());
});

it("ignores single keys once a user has switched them off, even after the page is opened again", async () => {
  const first = openPage(`/plans/${planId}`, recording);
  await first.user.click(await screen.findByRole("button", { name: "Keyboard shortcuts" }));
  const help = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
  expect(help.getByText("New goal")).toBeDefined();
  await first.user.click(help.getByRole("checkbox"));
  await first.user.click(help.getByRole("button", { name: "Close shortcuts" }));
  first.close();

  const { user } = openPage(`/plans/${planId}`, recording);
  await screen.findByTestId("approval");
  await user.keyboard("2?");
  expect(isSecondTabSelected()).toBe(false);
  expect(screen.queryByRole("dialog", { name: "Keyboard shortcuts" })).toBeNull();
});

function rowOf(id: string): Element | null {
  return document.querySelector(`[data-part=plan-row][href="/plans/${id}"]`);
}

function isSecondTabSelected(): boolean {
  return screen.getAllByRole("tab")[1]?.getAttribute("aria-selected") === "true";
}
