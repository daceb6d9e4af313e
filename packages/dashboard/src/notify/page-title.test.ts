import { expect, it } from "vitest";
import { createPlanCounts } from "../plans/plan-counts.ts";
import { createPageTitle } from "./page-title.ts";

it("shows the page's name after the number of plans that need approval", () => {
  const tab = { title: "" };
  const counts = createPlanCounts();
  const title = createPageTitle(tab, counts);
  title.setPage("Tools");
  expect(tab.title).toBe("Tools · Planwright");
  counts.set({ all: 5, needsApproval: 2 });
  expect(tab.title).toBe("(2) Tools · Planwright");
  title.setPage(undefined);
  expect(tab.title).toBe("(2) Planwright");
  counts.set({ all: 5, needsApproval: 0 });
  expect(tab.title).toBe("Planwright");
});
