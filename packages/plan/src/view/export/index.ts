/** Plans as files for other programs; free of schemas, so that a page may load it. */
export { planAsMarkdown } from "./plan-as-markdown.ts";
export { planAsMermaid } from "./plan-as-mermaid.ts";
