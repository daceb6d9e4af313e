/** The texts of a plan's header and its menu. */
export const HEADER_WORDS = {
  back: "All plans",
  controls: "Plan actions",
  costUnknown: "cost unknown",
  more: "More actions",
  progress: "Plan progress",
  review: "Review approval",
  revision: (number: number) => `revision ${number}`,
  submitted: (at: string) => `Submitted ${at}`,
  tokens: (count: string) => `${count} tokens`,
  used: (what: string) => `Used ${what}`,
} as const;

export const MENU_WORDS = {
  cancel: "Cancel plan",
  compare: "Compare with…",
  copied: "Copied",
  copyLink: "Copy link",
  copyPlanId: "Copy plan ID",
  copyTraceId: "Copy trace ID",
  delete: "Delete plan",
  edit: "Edit and run",
  exportJson: "Export as JSON",
  exportMarkdown: "Export as Markdown report",
  exportMermaid: "Export as Mermaid diagram",
  history: "History",
  print: "Print",
} as const;
