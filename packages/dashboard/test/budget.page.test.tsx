// A plan's budget on its page, in each state.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("budgets");

const CASES = [
  {
    // A running step counts as used, and is not expected again.
    name: "near",
    said: "near a limit",
    state: "near",
    words: /^10 of 11, about 10 expected$/,
    warning: "Less than 10% of the limit left",
  },
  {
    name: "beyond",
    said: "expected over a limit",
    state: "beyond",
    words: /^3 of 3, about 5 expected$/,
    warning: "Expected to exceed the limit: then the plan ends with the results so far",
  },
  {
    name: "asked",
    said: "at a limit, with a person asked",
    state: "exhausted",
    words: /^1 of 1, about 2 expected$/,
    warning: "Limit reached: approval is requested to continue",
  },
  {
    name: "ended",
    said: "ended by a limit",
    state: "exhausted",
    words: /^1 of 1$/,
    warning: "Limit reached",
  },
] as const;

it.each(CASES)("shows the used and expected amount and a warning for a plan $said", async (wanted) => {
  openPage(`/plans/${planIn(recording, wanted.name)}`, recording);
  const budget = await screen.findByTestId("budget");
  const row = budget.querySelector("[data-part=budget-row]");
  expect(row?.querySelector("span[data-part=budget-words]")?.textContent).toMatch(wanted.words);
  expect(row?.getAttribute("data-state")).toBe(wanted.state);
  const warnings = [...(row?.querySelectorAll("[data-part=budget-warning]") ?? [])].map(
    (one) => one.textContent,
  );
  expect(warnings).toEqual([wanted.warning]);
  const meter = screen.getByRole("meter", { name: "Steps dispatched used" });
  expect(meter.getAttribute("aria-valuetext")).toMatch(wanted.words);
});

it("shows the used time grow, and a higher limit once a user has approved more", async () => {
  const raised = await recordingOf("raised");
  const { user } = openPage(`/plans/${planIn(raised, "raised")}`, raised);
  await screen.findByText("Limit reached: approval is requested to continue");
  const used = (name: string) => screen.getByRole("meter", { name }).getAttribute("aria-valuetext");
  const before = used("Time used");
  await waitFor(() => expect(used("Time used")).not.toBe(before));
  await user.click(within(screen.getByTestId("approval")).getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(used("Steps dispatched used")).toBe("2 of 2"));
  expect(document.querySelector("[data-part=budget-warning]")).toBeNull();
});
