// The details of one step: its inputs, attempts, items, turns, effects, files and sub-plans.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { PlanView } from "../src/api/api-types.ts";
import { type OpenPage, openPage, recordingOf } from "./support/open-page.tsx";
import { answerTo, atTheEnd, planIn } from "./support/recording.ts";
import { findSeen } from "./support/seen.ts";

const recording = await recordingOf("steps");
const planId = planIn(recording, "steps");
const view = answerTo<PlanView>(recording, `GET /v1/plans/${planId}`);

it("explains why a step waits for a decision", async () => {
  openPage(`/plans/${planId}?step=send`, recording);
  const drawer = await screen.findByTestId("step-drawer");
  await findSeen(drawer, "Waiting for a decision");
  const why = within(drawer).getByTestId("why-waiting");
  expect(why.textContent).toContain("http.send is high-risk");
});

it("shows the edited arguments, the effect and the decision of a step with an effect", async () => {
  await openStep("send");
  const inputs = await part("Arguments");
  const body = within(inputs).getByText("body").closest<HTMLElement>("[data-part=input]");
  expect(body?.textContent).toContain("edited by");
  await findSeen(inputs, '{"text":"two"}');
  const effects = await part("Effects");
  await findSeen(effects, "took effect");
  const { key } = view.effects.find(({ stepId }) => stepId === "send") ?? {};
  await findSeen(effects, `${key}`);
  expect((await part("Approvals")).textContent).toContain("Reason: shorter");
});

it("marks a sub-plan in the list of plans", async () => {
  await openStep("send");
  const row = (id: string) => document.querySelector(`[data-plan="${id}"]`);
  await waitFor(() => expect(row(planIn(recording, "inner"))?.getAttribute("data-sub-plan")).toBe("true"));
  expect(row(planIn(recording, "inner"))?.textContent).toContain("Sub-plan");
  expect(row(planId)?.getAttribute("data-sub-plan")).toBe("false");
});

it("shows the output of a model step, its calls with their messages, and a link to its span", async () => {
  const { user } = await openStep("words");
  const inputs = await part("Arguments");
  await findSeen(inputs, "Sum up North");
  expect(
    within(await screen.findByTestId("step-output")).getByRole("heading", { name: "Sum" }),
  ).toBeDefined();
  const calls = await part("Model calls");
  const call = await within(calls).findByTestId("model-call");
  await user.click(summaryOf(call));
  expect((await within(call).findByLabelText("Message of user")).textContent).toContain("Sum up");
  expect(within(call).getByLabelText("Message of assistant").textContent).toContain("North has");
  const link = within(screen.getByTestId("step-drawer")).getByRole("link", { name: "Show in the trace" });
  expect(link.getAttribute("href")).toMatch(/tab=trace&span=[0-9a-f]{16}$/);

  // A reference opens the step that it comes from.
  await user.click(within(inputs).getByRole("button", { name: "rows.output[0].region" }));
  expect(location.search).toContain("step=rows");
  expect(await screen.findByRole("cell", { name: "South" })).toBeDefined();
});

it("shows each attempt of a step with its worker and error, and saves the step as a file", async () => {
  const { user } = await openStep("slow");
  const attempts = within(await part("Attempts"));
  await waitFor(() => expect(attempts.getAllByRole("listitem")).toHaveLength(2));
  const [first, second] = attempts.getAllByRole("listitem");
  expect(first?.textContent).toContain("next attempt at");
  const slow = view.steps.find(({ id }) => id === "slow");
  expect(second?.textContent).toContain(slow?.workerId ?? "no worker");
  expect(within(second ?? document.body).getByText("timeout")).toBeDefined();

  const saved: Blob[] = [];
  const create = vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    if (file instanceof Blob) saved.push(file);
    return "#";
  });
  await user.click(screen.getByRole("button", { name: "Download JSON" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  create.mockRestore();
  const file: unknown = JSON.parse((await saved[0]?.text()) ?? "");
  expect(file).toMatchObject({ id: "slow", attempts: [{ attempt: 1 }, { attempt: 2 }] });
});

it("filters the items of a step by status, and shows the arguments and attempts of one", async () => {
  const { user } = await openStep("each");
  const items = await part("Items");
  expect(within(items).getByRole("button", { name: "rows.output" })).toBeDefined();
  await user.click(within(items).getByRole("button", { name: "Failed 1" }));
  expect(within(items).getAllByTestId("item")).toHaveLength(1);
  await user.click(within(items).getByRole("button", { name: "All 3" }));
  const [, second] = within(items).getAllByTestId("item");
  if (second === undefined) throw new Error("there is no second item");
  await user.click(summaryOf(second));
  await findSeen(second, '{"shops":3}');
  await findSeen(second, "attempt 1");
});

it("groups the calls of an agent by turn, each with its outcome", async () => {
  const { user } = await openStep("loop");
  const turns = within(await part("Turns")).getAllByTestId("turn");
  const [first, several] = turns;
  if (first === undefined || several === undefined) throw new Error("there are no two turns");
  await findSeen(first, "I count them");
  await user.click(summaryOf(first));
  await findSeen(first, "5");
  await findSeen(several, "2 calls");
  const calls = within(several).getAllByTestId("turn-call");
  expect(calls).toHaveLength(2);
  expect(within(calls[0] ?? several).getByText("41")).toBeDefined();
  expect(calls[1]?.querySelector("[data-part=attempt-error]")).not.toBeNull();
});

it("shows the table in a file that a step has written, with a link to the file", async () => {
  await openStep("csv");
  const drawer = within(screen.getByTestId("step-drawer"));
  expect(await drawer.findByRole("cell", { name: "North" })).toBeDefined();
  expect(drawer.getByRole("link", { name: "files/shops.csv" })).toBeDefined();
});

it("links into nested sub-plans and back", async () => {
  const { user } = await openStep("inner");
  const [outer] = await within(await part("Sub-plan")).findAllByTestId("sub-plan");
  if (outer === undefined) throw new Error("there is no sub-plan");
  await user.click(within(outer).getByText("its sub-plan"));
  await user.click(await within(outer).findByRole("link", { name: /^leaf/ }));
  expect(location.pathname + location.search).toBe(`/plans/${planIn(recording, "deep")}?step=leaf`);
  const trail = within(await screen.findByRole("navigation", { name: "Part of" }));
  expect(await trail.findByRole("link", { name: "look closer deep" })).toBeDefined();
  await user.click(await trail.findByRole("link", { name: "tell how many shops there are inner" }));
  expect(location.pathname + location.search).toBe(`/plans/${planId}?step=inner`);
});

/** Opens a step of the ended plan. */
async function openStep(id: string): Promise<OpenPage> {
  const page = openPage(`/plans/${planId}?step=${id}`, atTheEnd(recording));
  await screen.findByTestId("step-drawer");
  return page;
}

/** A section of the open step, by its title. */
async function part(title: string): Promise<HTMLElement> {
  const drawer = await screen.findByTestId("step-drawer");
  const heading = await within(drawer).findByRole("heading", { name: title });
  const section = heading.closest<HTMLElement>("details[data-part=step-section]");
  if (section === null) throw new Error(`${title} is no part of a step`);
  return section;
}

function summaryOf(part: HTMLElement): HTMLElement {
  const summary = part.querySelector("summary");
  if (summary === null) throw new Error("nothing can be unfolded here");
  return summary;
}
