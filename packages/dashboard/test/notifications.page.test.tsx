// Notifications of plans, and the number in the title of the tab.
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import type { PlanSummary } from "../src/api/api-types.ts";
import { openPage, type OpenPage, recordingOf } from "./support/open-page.tsx";

const recording = await recordingOf("waiting");
/** This recording has the tools and data sources that the goal form offers. */
const system = await recordingOf("edited");
const ASKS_WAITING = "GET /v1/plans?needs=approval&limit=200";

it("asks for permission only when the user turns notifications on, and remembers the choice in this browser", async () => {
  const browser = playNotifications("granted");
  const first = openStart();
  await turnOn(first);
  expect(browser.asked()).toBe(1);
  expect(browser.shown.map(({ title }) => title)).toEqual(["Notifications are on."]);
  first.close();
  openStart();
  await screen.findByRole("button", { name: "Notifications: on" });
  expect(browser.asked()).toBe(1);
});

it("reports that the browser blocks them when the user refuses", async () => {
  playNotifications("denied");
  const { user } = openPage("/", recording, system);
  await user.click(await screen.findByRole("button", { name: "Notifications: off" }));
  await user.click(await screen.findByRole("button", { name: "Turn on notifications" }));
  await screen.findByText(/This browser blocks notifications/);
  expect(screen.getByRole("button", { name: "Notifications: off" })).toBeDefined();
});

it("notifies of plans that need approval or have ended only while the tab is hidden", async () => {
  const browser = playNotifications("granted");
  const page = openStart();
  await turnOn(page);
  await waitFor(() => expect(page.gateway.asked).toContain(ASKS_WAITING));
  page.gateway.push(news(plan("p1", { needsApproval: true })));
  await page.user.click(screen.getByRole("button", { name: "Close notifications" }));
  hide();
  page.gateway.push(news(plan("p2", { needsApproval: true }), plan("p1")));
  await waitFor(() => expect(browser.told()).toEqual(["Approval needed: goal of p2"]));
  page.gateway.push(news(ended("p1", { status: "failed" }), ended("p2")));
  await waitFor(() =>
    expect(browser.told().slice(1)).toEqual(["Plan failed: goal of p1", "Plan succeeded: goal of p2"]),
  );
  page.gateway.answer(/^GET \/v1\/plans\/p2$/, {
    status: 404,
    body: { title: "x", status: 404, code: "plan_not_found" },
  });
  await act(async () => browser.shown.at(-1)?.dispatchEvent(new Event("click")));
  expect(location.pathname).toBe("/plans/p2");
  await screen.findByRole("heading", { name: "Plan not found" });
});

it("merges many notifications into one, and shows none after they are turned off", async () => {
  const browser = playNotifications("granted");
  const page = openStart();
  await turnOn(page);
  await waitFor(() => expect(page.gateway.asked).toContain(ASKS_WAITING));
  hide();
  page.gateway.push(news(...["a", "b", "c", "d"].map((id) => plan(id, { needsApproval: true }))));
  await waitFor(() => expect(browser.told()).toHaveLength(1));
  expect(browser.told()).toEqual(["4 plans need approval: Open the approvals page to decide."]);
  await page.user.click(screen.getByRole("button", { name: "Turn off notifications" }));
  page.gateway.push(news(plan("e", { needsApproval: true })));
  await screen.findByRole("button", { name: "Notifications: off" });
  expect(browser.told()).toHaveLength(1);
});

it("counts the plans that need approval in the tab's title, without additional requests", async () => {
  const page = openPage("/tools", recording, system);
  await waitFor(() => expect(document.title).toBe("(1) Tools · Planwright"));
  expect(page.gateway.asked.filter((ask) => ask.includes("needs=approval&"))).toEqual([]);
  page.goTo("/");
  await waitFor(() => expect(document.title).toBe("(1) Planwright"));
});

/** Nothing needs approval when notifications are turned on. */
function openStart(): OpenPage {
  const page = openPage("/", recording, system);
  page.gateway.answer(/needs=approval/, { status: 200, body: { plans: [] } });
  return page;
}

async function turnOn({ user }: OpenPage): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "Notifications: off" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Notifications" }));
  await user.click(dialog.getByRole("button", { name: "Turn on notifications" }));
  await dialog.findByText("Notifications are on.");
}

/** A browser that answers the permission prompt. */
function playNotifications(answer: NotificationPermission) {
  let asked = 0;
  class Played extends EventTarget {
    static permission: NotificationPermission = "default";
    static readonly shown: Played[] = [];
    readonly title: string;
    readonly body: string;

    constructor(title: string, { body = "" }: NotificationOptions = {}) {
      super();
      this.title = title;
      this.body = body;
      Played.shown.push(this);
    }

    static requestPermission(): Promise<NotificationPermission> {
      asked += 1;
      Played.permission = answer;
      return Promise.resolve(answer);
    }

    close(): void {}
  }
  vi.stubGlobal("Notification", Played);
  vi.stubGlobal("isSecureContext", true);
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    shown: Played.shown,
    asked: () => asked,
    /** Without the sample that is shown when they are turned on. */
    told: () => Played.shown.slice(1).map(({ title, body }) => `${title}: ${body}`),
  };
}

function hide(): void {
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => visibility.mockRestore());
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

function news(...plans: readonly PlanSummary[]): object {
  return { type: "plans", plans, removed: [], more: false };
}

function plan(planId: string, more: Partial<PlanSummary> = {}): PlanSummary {
  return {
    planId: planId as PlanSummary["planId"],
    goal: `goal of ${planId}`,
    status: "running",
    ended: false,
    submittedAt: "2026-01-01T00:00:00.000Z",
    progress: { done: 0, total: 1, percent: 0 },
    ...more,
  };
}

function ended(planId: string, more: Partial<PlanSummary> = {}): PlanSummary {
  const endedAt = new Date().toISOString();
  return plan(planId, { status: "succeeded", ended: true, endedAt, ...more });
}
