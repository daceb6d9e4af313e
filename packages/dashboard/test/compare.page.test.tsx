// Two plans side by side, and how a user chooses them.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("forked");
const origin = planIn(recording, "origin");
const fork = planIn(recording, "fork");
const SAME = /1 step different, 2 the same\./;

it("compares a fork with its origin: the answer, the different step, and the same steps on request", async () => {
  const { user } = openPage(`/plans/${fork}`, recording);
  (await screen.findByRole("link", { name: "compare with original" })).focus();
  await user.keyboard("{Enter}");
  expect(location.pathname).toBe("/compare");
  await screen.findByText(/The right plan is a fork of the other/);
  await screen.findByText(SAME);
  const answer = screen.getByRole("region", { name: "Answer: different" });
  expect(wordsOf(answer, "del")).toEqual(["morning"]);
  expect(wordsOf(answer, "ins")).toEqual(["evening"]);

  const steps = within(screen.getByRole("region", { name: "Steps" }));
  const [row, ...others] = steps.getAllByRole("listitem");
  expect(others).toEqual([]);
  expect(row?.textContent).toContain('"value": "Good morning, Ann, and welcome"');
  expect(within(row ?? document.body).getByText("Output: different")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Show 2 steps that are the same" }));
  await waitFor(() => expect(steps.getAllByRole("listitem")).toHaveLength(3));
  const carried = steps.getAllByRole("listitem").find(({ textContent }) => textContent.includes("Say who"));
  expect(carried?.textContent).toContain("carried over");
  expect(screen.getByRole("rowheader", { name: "Steps" })).toBeDefined();

  await user.click(screen.getByRole("button", { name: "Swap sides" }));
  await screen.findByText(/The left plan is a fork of the other/);
  expect(wordsOf(screen.getByRole("region", { name: "Answer: different" }), "del")).toEqual(["evening"]);
});

it("offers the origin of a fork, and plans of the same goal, for a comparison", async () => {
  const { user } = openPage(`/plans/${fork}`, recording);
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(screen.getByRole("link", { name: "Compare with…" }));
  await screen.findByRole("button", { name: /^Forked from/ });
  const list = await screen.findByRole("list", { name: "Plans with the same goal" });
  await user.click(within(list).getByRole("button", { name: new RegExp(origin) }));
  expect(await screen.findByText(SAME)).toBeDefined();
});

it("finds plans to compare with by text and by id", async () => {
  const { user } = openPage(`/compare?left=${fork}`, recording);
  const search = await screen.findByRole("searchbox", { name: "Search by text or ID" });
  await user.click(search);
  await user.paste("no words of any plan");
  await screen.findByText("No plan found");
  await user.clear(search);
  await user.paste(origin);
  await user.click(await screen.findByRole("button", { name: /^Plan with this ID/ }));
  expect(await screen.findByText(/The left plan is a fork of the other/)).toBeDefined();
});

it("offers the latest plans when none is chosen", async () => {
  const { user } = openPage("/compare", recording);
  const latest = await screen.findByRole("list", { name: "Latest plans" });
  await user.click(within(latest).getByRole("button", { name: new RegExp(fork) }));
  expect(location.search).toBe(`?left=${fork}`);
});

it("refuses to compare a plan with itself, and reports an unknown plan", async () => {
  const { goTo } = openPage(`/compare?left=${fork}&right=${fork}`, recording);
  await screen.findByRole("heading", { name: "Both sides show the same plan" });
  goTo(`/compare?left=${fork}&right=no-such-plan`);
  expect(await screen.findByRole("heading", { name: "Plan no-such-plan not found" })).toBeDefined();
  expect(screen.getByRole("heading", { name: "Choose another right plan" })).toBeDefined();
});

function wordsOf(part: HTMLElement, element: "del" | "ins"): string[] {
  return [...part.querySelectorAll(element)].map(({ textContent }) => textContent);
}
