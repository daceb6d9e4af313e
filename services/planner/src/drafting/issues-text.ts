import type { Issue } from "@planwright/plan";

const SHOWN_MAX = 5;

/** Faults of a draft as one sentence for people: the first few, and how many there are. */
export function issuesText(issues: readonly Issue[]): string {
  const shown = issues.slice(0, SHOWN_MAX).map(({ stepId, field, message }) => {
    const place = [stepId === undefined ? "" : `step ${stepId}`, field]
      .filter((part) => part !== "")
      .join(" ");
    return place === "" ? message : `${place}: ${message}`;
  });
  const left = issues.length - shown.length;
  const more = left === 0 ? "" : `; and ${left} more`;
  return `the draft is not a valid plan: ${shown.join("; ")}${more}`;
}
