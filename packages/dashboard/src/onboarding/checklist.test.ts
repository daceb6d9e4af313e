import type { Caller } from "@planwright/client";
import { expect, it } from "vitest";
import { checklistOf, type Setup } from "./checklist-card.tsx";

const FRESH: Setup = {
  demoModel: true,
  tools: [{ name: "sql.query" }],
  sources: [{ origin: "configuration" }],
  plans: 0,
};

function caller(role: Caller["role"], ...calls: string[]): Caller {
  return { tenant: "default", role, credential: "key", calls, decisions: [] };
}

const ADMIN = caller("admin", "submitPlan", "addSource");

const done = (setup: Setup, who: Caller | undefined = ADMIN) =>
  Object.fromEntries(checklistOf(setup, who).map((one) => [one.item, one.done]));

it("finds nothing done in a fresh installation, whose tools and data sources are built in or configured", () => {
  expect(done(FRESH)).toEqual({ model: false, tool: false, data: false, goal: false });
});

it("derives each completed item from the state of the system", () => {
  expect(
    done({
      demoModel: false,
      tools: [{ name: "sql.query" }, { name: "crm.find" }],
      sources: [{ origin: "upload" }],
      plans: 1,
    }),
  ).toEqual({ model: true, tool: true, data: true, goal: true });
});

it("omits items that are unknown or that the role does not permit", () => {
  expect(done({ ...FRESH, tools: undefined, plans: undefined })).toEqual({ model: false, data: false });
  expect(done(FRESH, caller("submitter", "submitPlan"))).toEqual({ goal: false });
  expect(done(FRESH, caller("viewer"))).toEqual({});
  expect(checklistOf(FRESH, undefined)).toEqual([]);
});
