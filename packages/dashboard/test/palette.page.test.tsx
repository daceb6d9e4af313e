// The palette: the entries that it finds, and the effect of choosing one.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PlanSummary } from "../src/api/api-types.ts";
import { openPage, type OpenPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("waiting");
/** This recording has the tools and data sources that the goal form offers. */
const system = await recordingOf("edited");
const planId = planIn(recording, "waiting");
const SEARCHES = /^GET \/v1\/plans\?(?:q=[^&]*&)?limit=8$/;

it("opens with Ctrl+K even while typing, and closes with Ctrl+K", async () => {
  const { user } = openStart();
  const goal = await screen.findByRole("textbox", { name: "Goal" });
  await user.type(goal, "a goal");
  await user.keyboard("{Control>}k{/Control}");
  const field = await findField();
  expect(document.activeElement).toBe(field);
  await user.keyboard("{Control>}k{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(goal).toHaveProperty("value", "a goal");
});

it("shows the newest plans, the actions of the page and its pages before anything is typed", async () => {
  const { user } = openStart([plan("p1", "sales by region")]);
  await user.click(await screen.findByRole("button", { name: "Search or run a command" }));
  await findOption(/sales by region/);
  const groups = screen.getAllByRole("group").map((group) => nameOf(group));
  expect(groups).toEqual(expect.arrayContaining(["Plans", "Go to", "Everywhere"]));
  expect(optionsOf("Go to")).toEqual([
    "Home",
    "Plans",
    "Approvals",
    "Tools",
    "Workers",
    "Dead letters",
    "Metrics",
  ]);
});

it("searches plans once shortly after the last keystroke, and opens the one chosen by keyboard", async () => {
  const { user, gateway } = openStart([plan("p1", "sales by region"), plan(planId, "sales by month")]);
  await openPalette(user);
  await findOption(/sales by region/);
  await user.type(await findField(), "sales");
  await waitFor(() => expect(gateway.asked).toContain("GET /v1/plans?q=sales&limit=8"));
  expect(gateway.asked.filter((ask) => /\?q=/.test(ask))).toHaveLength(1);
  await screen.findByText("2 results");
  await user.keyboard("{ArrowDown}");
  await waitFor(() => expect(activeOption()).toContain("sales by month"));
  await user.keyboard("{ArrowDown}");
  expect(activeOption()).toContain("sales by region");
  await user.keyboard("{ArrowUp}{Enter}");
  await screen.findByTestId("approval");
  expect(location.pathname).toBe(`/plans/${planId}`);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("reports that plans could not be searched, and still finds actions", async () => {
  const { user, gateway } = openStart();
  gateway.answer(SEARCHES, { status: 500, body: { title: "no", status: 500, code: "internal" } });
  await openPalette(user);
  await screen.findByText("Plans could not be searched.");
  await user.type(await findField(), "dark");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("dark"));
});

it("finds pages of the docs by title and section, as links to the docs site", async () => {
  const { user } = openStart();
  await openPalette(user);
  await user.type(await findField(), "connect mcp");
  const option = await findOption(/Connect MCP/);
  expect(option.getAttribute("href")).toBe("/docs/guide/guides/connect-mcp");
  await user.clear(await findField());
  await user.type(await findField(), "choose strategy");
  expect((await findOption(/Choose a strategy/)).getAttribute("href")).toBe("/docs/guide/strategies/");
});

it("runs the actions of the open plan: pauses it, and asks before cancelling it", async () => {
  const { user, gateway } = openPage(`/plans/${planId}`, recording, system);
  gateway.answer(SEARCHES, { status: 200, body: { plans: [] } });
  await screen.findByTestId("approval");
  await openPalette(user);
  await user.type(await findField(), "pause");
  await user.keyboard("{Enter}");
  await screen.findByRole("button", { name: "Resume plan" });
  await openPalette(user);
  await user.type(await findField(), "cancel plan");
  await user.click(await findOption(/Cancel plan/));
  const sure = await screen.findByRole("button", { name: "Yes, cancel" });
  await waitFor(() => expect(document.activeElement).toBe(sure));
});

it("offers the actions in the help, without keys when single keys are off", async () => {
  const { user } = openStart();
  await openPalette(user);
  await user.type(await findField(), "new goal");
  expect((await findOption(/New goal/)).textContent).toBe("New goaln");
  await user.keyboard("{Control>}k{/Control}");
  await user.click(screen.getByRole("button", { name: "Keyboard shortcuts" }));
  const help = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
  expect(help.getByText("Search or run a command").previousSibling?.textContent).toBe("Ctrl+K");
  await user.click(help.getByRole("checkbox"));
  await user.click(help.getByRole("button", { name: "Close shortcuts" }));
  await openPalette(user);
  await user.type(await findField(), "new goal");
  expect((await findOption(/New goal/)).textContent).toBe("New goal");
});

function openStart(plans: readonly PlanSummary[] = []): OpenPage {
  const page = openPage("/", recording, system);
  page.gateway.answer(SEARCHES, { status: 200, body: { plans } });
  return page;
}

async function openPalette(user: OpenPage["user"]): Promise<void> {
  await user.keyboard("{Control>}k{/Control}");
  await findField();
}

const findField = () => screen.findByRole("combobox", { name: "Search plans, actions, pages and docs" });
const findOption = (name: RegExp) => screen.findByRole("option", { name });

function activeOption(): string | null {
  const id = screen
    .getByRole("combobox", { name: "Search plans, actions, pages and docs" })
    .getAttribute("aria-activedescendant");
  return screen.getByRole("option", { selected: true, name: (_name, { id: own }) => own === id }).textContent;
}

function nameOf(group: HTMLElement): string {
  return document.getElementById(group.getAttribute("aria-labelledby") ?? "")?.textContent ?? "";
}

function optionsOf(name: string): string[] {
  return within(screen.getByRole("group", { name }))
    .getAllByRole("option")
    .map((option) => option.querySelector("[data-part=palette-title]")?.textContent ?? "");
}

function plan(id: string, goal: string): PlanSummary {
  return {
    planId: id as PlanSummary["planId"],
    goal,
    status: "running",
    ended: false,
    submittedAt: "2026-01-01T00:00:00.000Z",
    progress: { done: 1, total: 2, percent: 50 },
  };
}
