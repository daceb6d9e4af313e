/** Exports of plans as files for other programs; has no schemas, so that the dashboard can load it. */
export { planAsMarkdown } from "./plan-as-markdown.ts";
export { planAsMermaid } from "./plan-as-mermaid.ts";
