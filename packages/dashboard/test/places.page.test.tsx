// Links to one item of a list and to one turn of a loop.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("places");
const plan = `/plans/${planIn(recording, "places")}`;

it("opens the item and the turn in the address, and copies links to them and to the step", async () => {
  const { user, goTo } = openPage(`${plan}?tab=steps&step=each&item=55`, recording);
  const copied = () => navigator.clipboard.readText();
  await user.click(await screen.findByRole("button", { name: "Copy the link to item 55" }));
  expect(openPlaces("item")).toEqual(["55"]);
  expect(within(openPlace("item")).getByRole("heading", { name: "Attempts" })).toBeDefined();
  await waitFor(async () =>
    expect(await copied()).toBe(`${location.origin}${plan}?tab=steps&step=each&item=55`),
  );
  await user.click(screen.getByRole("button", { name: "Copy the link to this step" }));
  await waitFor(async () => expect(await copied()).toBe(`${location.origin}${plan}?tab=steps&step=each`));
  expect(screen.queryByTestId("place-problem")).toBeNull();

  goTo(`${plan}?step=loop&turn=1`);
  await user.click(await screen.findByRole("button", { name: "Copy the link to turn 1" }));
  expect(openPlaces("turn")[0]).toBe("1");
  expect(within(openPlace("turn")).getByRole("heading", { name: "Call of math.evaluate" })).toBeDefined();
  await waitFor(async () => expect(await copied()).toBe(`${location.origin}${plan}?step=loop&turn=1`));
});

it("leaves the item out of the address when another step is opened", async () => {
  const { user } = openPage(`${plan}?tab=steps&step=each&item=55`, recording);
  await screen.findByRole("button", { name: "Copy the link to item 55" });
  within(screen.getByRole("tabpanel")).getByRole("button", { name: /^loop/ }).focus();
  await user.keyboard("{Enter}");
  const drawer = within(screen.getByTestId("step-drawer"));
  expect(await drawer.findAllByText("then I double")).not.toEqual([]);
  expect(location.search).toBe("?tab=steps&step=loop");
  expect(screen.queryByTestId("place-problem")).toBeNull();
});

it.each([
  ["loop&turn=12", "This step has no turn 12: it has turns 1 to 2."],
  ["each&item=%3Cimg%20src%3Dx%3E", "This step has no item “<img src=x>”: it has items 0 to 59."],
  ["start&item=1", "This step runs once; it has no item 1."],
])("explains that the address step=%s leads nowhere, and shows the step", async (place, explanation) => {
  openPage(`${plan}?step=${place}`, recording);
  expect((await screen.findByTestId("place-problem")).textContent).toContain(explanation);
  expect(screen.getByTestId("step-drawer")).toBeDefined();
});

it("shows the first 50 items of a step whose item does not exist", async () => {
  openPage(`${plan}?step=each&item=60`, recording);
  await screen.findByTestId("place-problem");
  expect(screen.getAllByTestId("item")).toHaveLength(50);
});

it("reports a step that the plan does not have, and clears the address when the note is closed", async () => {
  const { user } = openPage(`${plan}?step=gone`, recording);
  const note = (await screen.findByText("gone")).closest("[role=status]");
  expect(note?.textContent).toBe("This plan has no step gone.");
  await user.click(screen.getByRole("button", { name: "Close note" }));
  expect(location.search).toBe("");
});

function opened(kind: "item" | "turn"): HTMLElement[] {
  return within(screen.getByTestId("step-drawer"))
    .getAllByTestId(kind)
    .filter((place) => place.querySelector<HTMLDetailsElement>(":scope > details")?.open === true);
}

function openPlace(kind: "item" | "turn"): HTMLElement {
  const [place] = opened(kind);
  if (place === undefined) throw new Error(`no ${kind} is open`);
  return place;
}

function openPlaces(kind: "item" | "turn"): (string | null | undefined)[] {
  return opened(kind).map((place) => place.querySelector("[data-part=turn-number]")?.textContent);
}
