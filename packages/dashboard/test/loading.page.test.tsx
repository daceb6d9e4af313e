// What each place of the page says before the gateway has answered, when it fails, and when there is nothing.
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
  /** Only there once it has loaded, with these words. */
  readonly ready: string;
  readonly words?: RegExp;
};

/** The places that ask the gateway for something of their own. */
const PLACES: Readonly<Record<string, Place>> = {
  "the page of tools": { address: "/tools", asks: /^GET \/v1\/tools/, ready: ".tool" },
  "the page of workers": { address: "/workers", asks: /^GET \/v1\/workers/, ready: "table" },
  "the page of dead letters": {
    address: "/dead-letters",
    asks: /^GET \/v1\/dead-letters/,
    ready: ".dead-letters, .notice",
  },
  "the page of metrics": { address: "/figures", asks: /^GET \/v1\/metrics/, ready: ".trend" },
  "the page of approvals": {
    address: "/approvals",
    asks: /^GET \/v1\/approvals/,
    ready: ".approval, .notice",
  },
  "the choice of a plan to compare": {
    address: "/compare",
    asks: /^GET \/v1\/plans\?q=/,
    ready: ".chooser-plans li",
  },
  "the choice of another plan to compare with": {
    address: `/compare?left=${planId}`,
    asks: asksPlan,
    ready: "#chooser-title",
    words: /with/,
  },
  "the page of a plan": { address: plan, asks: asksPlan, ready: ".plan-goal" },
  "the timeline of a plan": { address: `${plan}?tab=timeline`, asks: asksEvents, ready: ".timeline-row" },
  "the revisions of a plan": { address: `${plan}?tab=revisions`, asks: asksEvents, ready: ".revision" },
  "the events of a plan": { address: `${plan}?tab=events`, asks: asksEvents, ready: "[data-testid=event]" },
  "the trace of a plan": { address: `${plan}?tab=trace`, asks: asksTrace, ready: "[data-testid=span]" },
};

/** What each tab says of a plan that has nothing for it but the tab itself. */
const EMPTY_TABS = {
  timeline: "The log is too long for a timeline",
  tree: "Nothing tried yet",
  code: "No program here",
  facts: "No facts yet",
  events: "No events yet",
} as const;

/** What each page about the system says when the gateway has nothing for it. */
const EMPTY_PAGES = {
  tools: "No tool is announced",
  workers: "No worker is there",
  "dead-letters": "No dead letters",
  approvals: "Nothing waits for you",
} as const;

// The modules of the parts are loaded when they are first shown, and the first sign of loading would be theirs.
beforeAll(async () => {
  await Promise.all([
    import("../src/compare/compare-page.tsx"),
    import("../src/figures/figures-page.tsx"),
    import("../src/graph/graph-tab.tsx"),
    import("../src/trace/trace-tab.tsx"),
  ]);
});

it.each(Object.entries(PLACES))(
  "says on %s that it loads, then what failed and how to go on, and shows it after another try",
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
    // Some places ask again by themselves meanwhile.
    if (again?.isConnected === true) await user.click(again);
    await waitFor(() => expect(readyPart()).toBeDefined());
    expect(place.queryByText(/the disk is full/)).toBeNull();
    await waitFor(() => expect(place.queryByRole("status", { name: /^Loading/ })).toBeNull());
  },
);

it("says in each tab that the plan has nothing for it yet", async () => {
  const { gateway, user } = openPage(plan, recording);
  gateway.answer(asksPlan, { status: 200, body: begun(answerTo<PlanView>(recording, `GET /v1${plan}`)) });
  gateway.answer(asksEvents, { status: 200, body: { events: [] } });
  for (const [id, said] of Object.entries(EMPTY_TABS)) {
    await user.click(await screen.findByRole("tab", { name: new RegExp(`^${id}`, "i") }));
    expect(await screen.findByRole("heading", { name: said })).toBeDefined();
  }
});

it.each(Object.entries(EMPTY_PAGES))("says on the page %s that there is nothing", async (part, said) => {
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
  expect(await screen.findByRole("heading", { name: said })).toBeDefined();
  expect(await screen.findByRole("heading", { name: "No plans yet" })).toBeDefined();
});

/** The plan as the gateway would answer when a search, a program and facts had begun, and nothing had come of them. */
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
