// docs/plan-lifecycle.md: its picture and its table have every status of a plan, with the label that clients show.
import { statusLabel } from "@planwright/plan/status-label";
import { PlanView } from "@planwright/plan";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { STATUS_BADGE } from "../packages/dashboard/src/ui/ui-words.ts";

const statuses = PlanView.shape.status.options;
const page = readFileSync("docs/plan-lifecycle.md", "utf8");
const [, picture = ""] = /^```mermaid\n([\s\S]*?)^```/m.exec(page) ?? [];
const rows = Array.from(page.matchAll(/^\| `([\w-]+)` \| ([\w ]+) \|/gm), ([, status = "", label = ""]) => ({
  status,
  label,
}));

it("has a row for every status of a plan", () => {
  expect(rows.map(({ status }) => status).toSorted()).toEqual(statuses.toSorted());
});

it("draws every status but paused, which the text below the picture explains", () => {
  const missing = statuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(picture));
  expect(missing).toEqual(["paused"]);
});

it("calls each status as the command line does, or as the dashboard does", () => {
  const dashboard = readFileSync("packages/dashboard/src/ui/status-badge.tsx", "utf8");
  const labels: Readonly<Record<string, unknown>> = STATUS_BADGE;
  const wrong = rows.filter(({ status, label }) => {
    const [, key = ""] = new RegExp(`"?${status}"?: \\{ label: STATUS_BADGE\\.(\\w+)`).exec(dashboard) ?? [];
    return label !== statusLabel(status, undefined) && label !== String(labels[key]).toLowerCase();
  });
  expect(wrong).toEqual([]);
});
