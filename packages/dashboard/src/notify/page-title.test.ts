import { expect, it } from "vitest";
import { createPageTitle } from "./page-title.ts";

it("names the page, and counts the plans that need approval before it", () => {
  const tab = { title: "" };
  const title = createPageTitle(tab);
  title.setPage("Tools");
  expect(tab.title).toBe("Tools · Planwright");
  title.setPlansToApprove(2);
  expect(tab.title).toBe("(2) Tools · Planwright");
  title.setPage(undefined);
  expect(tab.title).toBe("(2) Planwright");
  title.setPlansToApprove(0);
  expect(tab.title).toBe("Planwright");
});
