// A plan's revisions, edits and facts.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PlanView } from "../src/api/api-types.ts";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { answerTo, planIn } from "./support/recording.ts";
import { findSeen } from "./support/seen.ts";

const revised = await recordingOf("revised");
const revisedId = planIn(revised, "revised");
const view = answerTo<PlanView>(revised, `GET /v1/plans/${revisedId}`);

it("shows what a reviewer edited before the plan ran", async () => {
  const recording = await recordingOf("rewritten");
  openPage(`/plans/${planIn(recording, "rewritten")}?tab=revisions`, recording);
  const edit = await screen.findByRole("article", { name: "Edited before running" });
  await findSeen(edit, "args.value");
  await findSeen(edit, /\bshort\b/);
  expect(edit.textContent).toContain("xxx");
});

it("opens a step by keyboard, expands a long value, and returns the focus to where the step was opened", async () => {
  const recording = await recordingOf("rewritten");
  const { user } = openPage(`/plans/${planIn(recording, "rewritten")}?tab=steps`, recording);
  const opener = await screen.findByRole("button", { name: /^b / });
  opener.focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(document.activeElement?.id).toBe("step-title"));
  const drawer = screen.getByTestId("step-drawer");
  const [unfold] = within(drawer).getAllByRole("button", { name: "Show all (5,000 characters)" });
  if (unfold === undefined) throw new Error("nothing can be unfolded");
  await user.click(unfold);
  await findSeen(drawer, (words) => words.includes("x".repeat(5_000)));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByTestId("step-drawer")).toBeNull());
  expect(document.activeElement).toBe(opener);
});

it("shows how much of a budget in dollars is used", async () => {
  openPage(`/plans/${revisedId}`, revised);
  const cost = await screen.findByRole("meter", { name: "Cost used" });
  const used = view.budget?.used.usd ?? 0;
  expect(used).toBeGreaterThan(0);
  expect(cost.getAttribute("aria-valuetext")).toBe(`$${used.toFixed(2)} of $500.00`);
});

it("shows the changed and added steps of a revision, its reason, and who asked for it", async () => {
  const { user } = openPage(`/plans/${revisedId}`, revised);
  await user.click(await screen.findByRole("tab", { name: "Revisions" }));
  const revision = await screen.findByRole("article", { name: "Revision 1" });
  await findSeen(revision, "the rest is missing");
  await findSeen(revision, /Requested by the review of the results/);
  const item = (words: string) => {
    const found = within(revision)
      .getAllByRole("listitem")
      .find(({ textContent }) => textContent.includes(words));
    if (found === undefined) throw new Error(`no part of the revision says ${words}`);
    return found;
  };
  await findSeen(item("Changed"), "files.read");
  expect(within(item("Changed")).getByRole("button", { name: "fail-d2" })).toBeDefined();
  expect(within(item("Added")).getByRole("button", { name: "end" })).toBeDefined();
});

it("shows a plan's facts with their earlier values and steps, and its open questions", async () => {
  const { user } = openPage(`/plans/${revisedId}`, revised);
  await user.click(await screen.findByRole("tab", { name: "Facts" }));
  const facts = await screen.findAllByTestId("fact");
  expect(facts).toHaveLength(view.facts.length);
  const panel = screen.getByRole("tabpanel");
  await findSeen(panel, "13");
  await findSeen(panel, /Before: 12/);
  await findSeen(panel, "Who owns them?");
  const continuity = screen.getByRole("link", { name: /continuity\.md/ }).getAttribute("href");
  expect(answerTo<string>(revised, `GET ${continuity}`)).toContain("# Continuity of plan");
  const [source] = within(facts[0] ?? panel).getAllByRole("button");
  if (source === undefined) throw new Error("a fact names no step");
  await user.click(source);
  expect(await screen.findByTestId("step-drawer")).toBeDefined();
});
