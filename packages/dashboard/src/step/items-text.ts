import type { StepView } from "../api/api-types.ts";

/** How far a step is that runs for each of a list: `3 of 5 done, 1 failed`; undefined for any other step. */
export function itemsText({ items }: Pick<StepView, "items">): string | undefined {
  if (items === undefined) return undefined;
  const count = (status: string): number => items.filter((item) => item.status === status).length;
  const parts = [`${count("succeeded")} of ${items.length} done`];
  for (const status of ["running", "queued", "failed", "awaiting-approval"]) {
    if (count(status) > 0)
      parts.push(`${count(status)} ${status === "awaiting-approval" ? "to approve" : status}`);
  }
  return parts.join(", ");
}
