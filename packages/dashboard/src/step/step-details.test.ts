import { expect, it } from "vitest";
import type { StepView } from "../api/api-types.ts";
import { itemsText } from "./step-details.tsx";

const item = (status: NonNullable<StepView["items"]>[number]["status"], index: number) => ({
  item: index,
  status,
  attempt: 1,
  failedAttempts: [],
});

it("shows the progress of a list, and none for a step that runs once", () => {
  expect(itemsText({})).toBeUndefined();
  const items = (["succeeded", "failed", "running", "waiting", "awaiting-approval"] as const).map(item);
  expect(itemsText({ items })).toBe("1 of 5 done, 1 running, 1 failed, 1 to approve");
  expect(itemsText({ items: [item("succeeded", 0)] })).toBe("1 of 1 done");
});
