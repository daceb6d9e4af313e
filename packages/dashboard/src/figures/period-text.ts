import type { Period } from "../api/api-types.ts";

/** When a period begins, as the reader writes it. */
export function periodText(from: string, period: Period): string {
  const date = new Date(from);
  return period === "hour"
    ? date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })
    : date.toLocaleDateString(undefined, { dateStyle: "medium" });
}
