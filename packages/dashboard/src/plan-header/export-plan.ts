import { planAsMarkdown, planAsMermaid } from "@planwright/plan/export";
import type { PlanView } from "../api/api-types.ts";
import { saveAs } from "../ui/save-link.tsx";

export const EXPORTS = ["Markdown", "Mermaid", "Json"] as const;
export type ExportFormat = (typeof EXPORTS)[number];

const FILES: Readonly<
  Record<
    ExportFormat,
    { readonly ending: string; readonly type: string; readonly text: (view: PlanView) => string }
  >
> = {
  Markdown: { ending: "md", type: "text/markdown", text: planAsMarkdown },
  Mermaid: { ending: "mmd", type: "text/plain", text: planAsMermaid },
  Json: { ending: "json", type: "application/json", text: (view) => `${JSON.stringify(view, null, 2)}\n` },
};

/** Saves a plan as it is shown. */
export function exportPlan(view: PlanView, format: ExportFormat): void {
  const { ending, type, text } = FILES[format];
  saveAs(`plan-${view.planId}.${ending}`, new Blob([text(view)], { type: `${type};charset=utf-8` }));
}
