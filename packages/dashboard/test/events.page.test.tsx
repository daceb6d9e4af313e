// The log of a plan with more events than its tab shows on one page.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { answerTo, planIn } from "./support/recording.ts";

const recording = await recordingOf("graphs");
const planId = planIn(recording, "joined");
const { events } = answerTo<{ readonly events: readonly { readonly event: object }[] }>(
  recording,
  `GET /v1/plans/${planId}/events?after=0`,
);

/** How often the long log repeats the recorded one. */
const REPEATS = 40;
const PART = 300;

it("shows the newest events of a long log, the oldest 300 on another page, and searches all of them", async () => {
  const log = Array.from({ length: REPEATS }, () => events)
    .flat()
    .map(({ event }, index) => ({ seq: index + 1, event }));
  const { user, gateway, goTo } = openPage("/nowhere", recording);
  gateway.answer(/\/events\?after=0$/, { status: 200, body: { planId, events: log } });
  gateway.answer(/\/events\?after=[1-9]/, { status: 200, body: { planId, events: [] } });
  goTo(`/plans/${planId}?tab=events`);
  const pages = within(await screen.findByRole("navigation", { name: "Event pages" }));
  expect(numbers()[0]).toBe(log.length);
  expect(pages.getByRole("status").textContent).toBe("1–420 of 720");

  await user.click(pages.getByRole("button", { name: "Oldest" }));
  await waitFor(() => expect(numbers().at(-1)).toBe(1));
  expect(numbers()).toEqual(Array.from({ length: PART }, (_, index) => PART - index));

  const submitted = log.filter(({ seq }) => seq % events.length === 1);
  await user.type(screen.getByRole("searchbox", { name: "Search events" }), "goal.submitted");
  await waitFor(() => expect(numbers()).toEqual(submitted.map(({ seq }) => seq).toReversed()));
});

/** The numbers of the shown events. */
function numbers(): number[] {
  return screen.getAllByTestId("event").map((row) => Number(row.dataset["seq"]));
}
