import { expect, it } from "vitest";
import { actionsOf, type Entry, listEntries } from "./entry.ts";

const nothing = () => undefined;

const entry = (title: string, group: Entry["group"], about?: string): Entry => ({
  id: title,
  title,
  group,
  about,
  run: nothing,
});

function titles(entries: readonly Entry[], query: string): string[] {
  return listEntries(entries, query).flatMap((list) => list.entries.map(({ title }) => title));
}

it("finds entries that contain every search word as a prefix, matches of the title's first word first", () => {
  const all = [
    entry("Scale workers", "docs"),
    entry("Workers", "docs"),
    entry("Networking", "docs"),
    entry("Budgets", "docs", "Workers and costs"),
  ];
  expect(titles(all, "work")).toEqual(["Workers", "Scale workers", "Budgets"]);
  expect(titles(all, "WORK sc")).toEqual(["Scale workers"]);
  expect(titles(all, "work nothing")).toEqual([]);
});

it("keeps all plans that the gateway has found, in its order", () => {
  const all = [entry("b", "plans"), entry("a", "plans")];
  expect(titles(all, "metadata")).toEqual(["b", "a"]);
});

it("lists newest plans first without a search, and docs only with one", () => {
  const all = [entry("Home", "places"), entry("MCP", "docs"), entry("new plan", "plans")];
  expect(titles(all, "  ")).toEqual(["new plan", "Home"]);
});

it("offers only actions that can be run, without the key that closes the palette", () => {
  const bindings = [
    { keys: "n", label: "New goal", run: nothing },
    { keys: "ArrowUp", label: "In the table" },
    { keys: "Escape", label: "Close the side panel", run: nothing },
    { label: "Cancel plan", run: nothing },
  ];
  expect(actionsOf(bindings).map(({ title }) => title)).toEqual(["New goal", "Cancel plan"]);
});
