// The Graph tab: its search, groups and keyboard. Anything that needs the nodes' positions is tested in the browser.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("graphs");
const joined = `/plans/${planIn(recording, "joined")}`;
const grouped = `/plans/${planIn(recording, "grouped")}`;

it("marks the steps that a search finds, and moves from match to match", async () => {
  const { user } = openPage(joined, recording);
  await findNode("start");
  await user.keyboard("f");
  expect(document.activeElement).toBe(searchField());
  await user.keyboard("WAIT succeeded");
  await waitFor(() => expect(searchStatus()).toBe("3 of 15 steps"));
  expect(new Set(idsOf('[data-node][data-found="true"]'))).toEqual(new Set(["a", "b", "c"]));
  expect(idsOf('[data-node][data-found="false"]')).toHaveLength(12);
  for (const [key, id] of [
    ["{Enter}", "a"],
    ["{Enter}", "b"],
    ["{Shift>}{Enter}{/Shift}", "a"],
    ["{Shift>}{Enter}{/Shift}", "c"],
  ] as const) {
    await user.keyboard(key);
    await waitFor(() => expect(idsOf('[data-node][data-at="true"]')).toEqual([id]));
  }
  expect(searchStatus()).toContain("at the 3rd: c");
  expect(nodeOf("c")?.getAttribute("tabindex")).toBe("0");
});

it("keeps a search in the address for the graph and the list of steps, until Escape clears it", async () => {
  const first = openPage(joined, recording);
  await findNode("start");
  await first.user.keyboard("fWAIT succeeded");
  await waitFor(() => expect(idsOf('[data-node][data-found="true"]')).toHaveLength(3));
  first.close();

  const { user } = openPage(location.pathname + location.search, recording);
  await waitFor(() => expect(idsOf('[data-node][data-found="true"]')).toHaveLength(3));
  await user.click(screen.getByRole("tab", { name: /^Steps/ }));
  await waitFor(() => expect(rowsOfSteps()).toHaveLength(3));
  await user.keyboard("f{Escape}");
  await waitFor(() => expect(rowsOfSteps()).toHaveLength(15));
  expect(location.search).toBe("?tab=steps");
  await user.click(screen.getByRole("tab", { name: "Graph" }));
  await findNode("start");
  expect(idsOf("[data-node][data-found]")).toEqual([]);
});

it("counts the matches in a group of steps, and lists them", async () => {
  const { user } = openPage(`${grouped}?find=s15`, recording);
  const group = await findNode("group:s0");
  await waitFor(() => expect(group.textContent).toContain("11 found"));
  await user.click(searchField());
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  const panel = within(await screen.findByRole("region", { name: "Steps in this group" }));
  expect(panel.getAllByRole("listitem")).toHaveLength(11);
  await waitFor(() =>
    expect(document.querySelector('li [data-at="true"], li[data-at="true"]')?.textContent).toContain("s159"),
  );
  await user.clear(searchField());
  await user.type(searchField(), "nothing has this");
  await waitFor(() => expect(searchStatus()).toBe("0 of 161 steps"));
});

it("names a node by its status and number of dependencies, and opens it", async () => {
  const { user } = openPage(joined, recording);
  await findNode("b");
  const node = screen.getByRole("button", { name: /Succeeded.*Wait b.*1 dependency, 1 dependent/s });
  expect(node.dataset["node"]).toBe("b");
  expect(document.querySelectorAll('[data-node][tabindex="0"]')).toHaveLength(1);
  node.focus();
  await user.keyboard("{Enter}");
  expect(within(await screen.findByTestId("step-drawer")).getAllByText("Wait b")).not.toEqual([]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(nodeOf("b")));
});

it("lists the keys of the graph only where the graph is shown", async () => {
  const { user } = openPage(joined, recording);
  await findNode("start");
  await user.keyboard("?");
  const help = () => screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  expect(within(await help()).getByText("In the graph: go to a sibling step")).toBeDefined();
  await user.click(within(await help()).getByRole("button", { name: "Close shortcuts" }));
  await user.click(screen.getByRole("tab", { name: /^Steps/ }));
  await waitFor(() => expect(rowsOfSteps()).toHaveLength(15));
  await user.keyboard("?");
  expect(within(await help()).getByText("Show shortcuts")).toBeDefined();
  expect(within(await help()).queryByText(/^In the graph/)).toBeNull();
});

function searchField(): HTMLElement {
  return screen.getByRole("searchbox", { name: "Search steps" });
}

function searchStatus(): string {
  return document.querySelector("search [role=status]")?.textContent ?? "";
}

function nodeOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-node="${id}"]`);
}

async function findNode(id: string): Promise<HTMLElement> {
  return waitFor(() => {
    const node = nodeOf(id);
    if (node === null) throw new Error(`there is no node ${id}`);
    return node;
  });
}

function idsOf(selector: string): (string | undefined)[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].map(({ dataset }) => dataset["node"]);
}

function rowsOfSteps(): Element[] {
  return [...document.querySelectorAll("[data-part=steps-table] tbody tr")];
}
