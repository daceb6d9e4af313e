// What each part of the page shows while it loads, when loading fails, and when there is nothing to show.
import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { PlanView } from "../src/api/api-types.ts";
import { answerTo, planIn } from "./support/recording.ts";
import { openPage, recordingOf } from "./support/open-page.tsx";

const recording = await recordingOf("edited");
const planId = planIn(recording, "edited");
const plan = `/plans/${planId}`;
const asksPlan = new RegExp(`^GET /v1${plan}$`);
const asksEvents = new RegExp(`^GET /v1${plan}/events`);
const asksTrace = new RegExp(`^GET /v1${plan}/trace`);

type Place = {
  readonly address: string;
  readonly asks: RegExp;
  /** A selector for the element that appears after loading, and a pattern for its text. */
  readonly ready: string;
  readonly words?: RegExp;
};

/** The parts of the page that load their own data. */
const PLACES: Readonly<Record<string, Place>> = {
  "the page of tools": { address: "/tools", asks: /^GET \/v1\/tools/, ready: "[data-part=tool]" },
  "the page of workers": { address: "/workers", asks: /^GET \/v1\/workers/, ready: "table" },
  "the page of dead letters": {
    address: "/dead-letters",
    asks: /^GET \/v1\/dead-letters/,
    ready: "[data-part=dead-letters], .notice",
  },
  "the page of metrics": { address: "/metrics", asks: /^GET \/v1\/metrics/, ready: "[data-part=trend]" },
  "the page of approvals": {
    address: "/approvals",
    asks: /^GET \/v1\/approvals/,
    ready: "[data-part=approval], .notice",
  },
  "the choice of a plan to compare": {
    address: "/compare",
    asks: /^GET \/v1\/plans\?q=/,
    ready: "[data-part=chooser-plans] li",
  },
  "the choice of another plan to compare with": {
    address: `/compare?left=${planId}`,
    asks: asksPlan,
    ready: "#chooser-title",
    words: /with/,
  },
  "the page of a plan": { address: plan, asks: asksPlan, ready: "[data-part=plan-goal]" },
  "the timeline of a plan": {
    address: `${plan}?tab=timeline`,
    asks: asksEvents,
    ready: "[data-part=timeline-row]",
  },
  "the revisions of a plan": {
    address: `${plan}?tab=revisions`,
    asks: asksEvents,
    ready: "[data-part=revision]",
  },
  "the events of a plan": { address: `${plan}?tab=events`, asks: asksEvents, ready: "[data-testid=event]" },
  "the trace of a plan": { address: `${plan}?tab=trace`, asks: asksTrace, ready: "[data-testid=span]" },
};

/** The empty state of each tab. */
const EMPTY_TABS = {
  timeline: "Too many events for a timeline",
  tree: "No actions yet",
  code: "No program",
  facts: "No facts yet",
  events: "No events yet",
} as const;

/** The empty state of each page about the system. */
const EMPTY_PAGES = {
  tools: "No tools registered",
  workers: "No workers connected",
  "dead-letters": "No dead letters",
  approvals: "No pending approvals",
} as const;

// Modules load when a part is first shown. Without this, the first loading indicator would be that of the module.
beforeAll(async () => {
  await Promise.all([
    import("../src/compare/compare-page.tsx"),
    import("../src/metrics/metrics-page.tsx"),
    import("../src/graph/graph-tab.tsx"),
    import("../src/trace/trace-tab.tsx"),
  ]);
});

it.each(Object.entries(PLACES))(
  "shows on %s that it is loading, then the error with a way to retry, and the content after a retry",
  async (_name, { address, asks, ready, words = /(?:)/ }) => {
    const { gateway, main, user } = openPage(address, recording);
    const held = gateway.hold(asks);
    const place = within(main());
    const readyPart = () => {
      const part = main().querySelector(ready);
      return part !== null && words.test(part.textContent) ? part : undefined;
    };
    await waitFor(() => expect(gateway.asked).toContainEqual(expect.stringMatching(asks)));
    await place.findAllByRole("status", { name: /^Loading/ });
    expect(place.queryByRole("button", { name: "Try again" })).toBeNull();
    held.fail();
    const [again] = await place.findAllByRole("button", { name: "Try again" });
    expect(place.getAllByText(/the disk is full/)).not.toEqual([]);
    expect(readyPart()).toBeUndefined();
    held.answer();
    // Some parts retry automatically, so their button is gone.
    if (again?.isConnected === true) await user.click(again);
    await waitFor(() => expect(readyPart()).toBeDefined());
    expect(place.queryByText(/the disk is full/)).toBeNull();
    await waitFor(() => expect(place.queryByRole("status", { name: /^Loading/ })).toBeNull());
  },
);

it("shows an empty state in each tab of a plan that has nothing for it yet", async () => {
  const { gateway, user } = openPage(plan, recording);
  gateway.answer(asksPlan, { status: 200, body: begun(answerTo<PlanView>(recording, `GET /v1${plan}`)) });
  gateway.answer(asksEvents, { status: 200, body: { events: [] } });
  for (const [id, said] of Object.entries(EMPTY_TABS)) {
    await user.click(await screen.findByRole("tab", { name: new RegExp(`^${id}`, "i") }));
    expect(linksOf(await screen.findByRole("heading", { name: said }))).toHaveLength(1);
  }
});

it.each(Object.entries(EMPTY_PAGES))("shows an empty state on the page %s", async (part, said) => {
  const { gateway } = openPage(`/${part}`, recording);
  const empty = {
    tools: [],
    workers: [],
    pools: [],
    total: 0,
    groups: [],
    approvals: [],
    plans: [],
    sources: [],
  };
  gateway.answer(/^GET \/v1\/(?:tools|workers|dead-letters|approvals|plans)(?:\?|$)/, {
    status: 200,
    body: empty,
  });
  expect(linksOf(await screen.findByRole("heading", { name: said }))).toHaveLength(1);
  expect(linksOf(await screen.findByRole("heading", { name: "No plans yet" }))).toHaveLength(1);
});

it("says how to get data sources where a goal could use them", async () => {
  const { gateway } = openPage("/", recording);
  gateway.answer(/^GET \/v1\/data$/, { status: 200, body: { sources: [] } });
  expect((await screen.findByRole("link", { name: "About data sources" })).getAttribute("href")).toBe(
    "/docs/guide/data",
  );
});

/** The links of an empty state. */
function linksOf(heading: HTMLElement): HTMLElement[] {
  return [...(heading.closest(".notice")?.querySelectorAll("a") ?? [])];
}

/** The recorded plan, changed to one whose search, program and facts have begun without a result. */
function begun(view: PlanView): unknown {
  const settings = { iterations: 1, width: 2, depth: 2, exploration: 1 };
  const root = { visits: 0, meanValue: 0 };
  return {
    ...view,
    search: { settings, phase: "expanding", rounds: [], root, nodes: [], bestPath: [] },
    steps: view.steps.map((step) => ({ ...step, tool: "data.apply" })),
    openQuestions: [{ question: "Which shop?", stepId: view.steps[0]?.id, at: view.submittedAt }],
  };
}
