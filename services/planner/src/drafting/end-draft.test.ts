import { expect, it } from "vitest";
import { issuesText } from "./end-draft.ts";

it("names the first few faults and how many more there are", () => {
  const issue = (index: number) => ({ code: "x", stepId: `s${index}`, field: "args.url", message: "wrong" });
  expect(issuesText([issue(1), { code: "x", field: "", message: "empty" }])).toBe(
    "the draft is not a valid plan: step s1 args.url: wrong; empty",
  );
  expect(issuesText(Array.from({ length: 8 }, (_, index) => issue(index)))).toMatch(/; and 3 more$/);
});
