import type { Period } from "../api/api-types.ts";

const BY_DATE: ReadonlySet<Period> = new Set(["day", "week"]);
/** Each is dear to make. */
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** When a period begins, as the reader writes it. */
export function periodText(from: string, period: Period): string {
  return (BY_DATE.has(period) ? DATE : DATE_TIME).format(new Date(from));
}
