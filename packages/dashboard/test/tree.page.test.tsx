// The tree of a search: its rows, their keys, and the details of a node.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";
import { findSeen } from "./support/seen.ts";

const recording = await recordingOf("searched");
const plan = `/plans/${planIn(recording, "searched")}`;
const address = `${plan}?tab=tree`;
const ALL = ["a", "a1", "a2", "b", "b1", "c", "d", "b2"];
const BEST_OPEN = ["a", "b", "b1", "c", "d", "b2"];

it("shows the nodes of a search with their values, the settings, and the details of the best node", async () => {
  const { main } = openPage(address, recording);
  await waitFor(() => expect(rows()).toEqual(ALL));
  expect(row(/On the best path: 6 \* 4.*Solved.*value 1\.00.*mean 1\.00.*1/)).toBeDefined();
  expect(row(/13 - 9/).getAttribute("aria-level")).toBe("2");
  expect(row(/6 \+ 4/).getAttribute("aria-posinset")).toBe("2");
  expect(row(/6 \+ 4.*Discarded/)).toBeDefined();
  const settings = main().querySelector<HTMLElement>("[data-part=search-summary]") ?? document.body;
  for (const text of ["4 of max 4", "8 actions", "2 per round", "max 3"])
    expect(within(settings).getByText(text)).toBeDefined();
  const best = details("c");
  await findSeen(best, "24, and every number is used once");
  await findSeen(best, "Evaluation");
});

it("grows with the search, from no attempted actions to all nodes", async () => {
  const { goTo } = openPage(`${address}&seq=1`, recording);
  await screen.findByRole("slider", { name: "Event" });
  await waitFor(() => expect(rows()).toEqual([]));
  goTo(`${address}&seq=${middle()}`);
  await waitFor(() => expect(rows()).not.toEqual([]));
  expect(rows().length).toBeLessThan(ALL.length);
  goTo(address);
  await waitFor(() => expect(rows()).toEqual(ALL));
});

it("collapses and expands nodes by keys and buttons, and shows the selected node again at its address", async () => {
  const first = openPage(address, recording);
  await waitFor(() => expect(rows()).toEqual(ALL));
  row(/9 \+ 13/).focus();
  await first.user.keyboard("{ArrowLeft}");
  expect(rows()).toEqual(BEST_OPEN);
  await first.user.keyboard("{ArrowDown}{ArrowRight}{Enter}");
  await findSeen(details("b1"), "0.767, over 3 visits");
  await findSeen(details("b1"), "in round 4");
  expect(row(/13 - 9/).getAttribute("aria-selected")).toBe("true");
  await first.user.keyboard("{End}");
  expect((document.activeElement as HTMLElement | null)?.dataset["node"]).toBe("b2");
  await first.user.click(screen.getByRole("button", { name: "Expand all" }));
  expect(rows()).toEqual(ALL);
  await first.user.click(screen.getByRole("button", { name: "Show best path only" }));
  expect(rows()).toEqual(BEST_OPEN);
  await first.user.click(within(details("b1")).getByRole("button", { name: "b1" }));
  const drawer = within(await screen.findByTestId("step-drawer"));
  expect(await drawer.findByRole("heading", { name: "13 - 9" })).toBeDefined();
  first.close();

  openPage(location.pathname + location.search, recording);
  expect(await screen.findByRole("region", { name: "Node b1" })).toBeDefined();
});

/** The node of each row, from the top. */
function rows(): (string | null | undefined)[] {
  return screen.queryAllByRole("treeitem").map((item) => item.querySelector("code")?.textContent);
}

function row(name: RegExp): HTMLElement {
  return screen.getByRole("treeitem", { name });
}

function details(id: string): HTMLElement {
  return screen.getByRole("region", { name: `Node ${id}` });
}

/** The recorded event in the middle of the search. */
function middle(): string {
  const seqs = recording.answers.flatMap(({ ask }) => /\?seq=(\d+)$/.exec(ask)?.[1] ?? []);
  return seqs.at(-1) ?? "";
}
