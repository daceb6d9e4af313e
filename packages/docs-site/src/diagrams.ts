/** Mermaid diagrams, drawn as static SVG while the site is built: no script runs in the page. */
import { type RenderOptions, renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

/** The colours of the theme, which follow light and dark mode. */
const COLOURS: RenderOptions = {
  bg: "var(--vp-c-bg)",
  fg: "var(--vp-c-text-1)",
  line: "var(--vp-c-text-3)",
  accent: "var(--vp-c-brand-1)",
  muted: "var(--vp-c-text-2)",
  surface: "var(--vp-c-bg-soft)",
  border: "var(--vp-c-border)",
  font: "system-ui",
  transparent: true,
  padding: 8,
};
const WIDTH = /^<svg [^>]*\bwidth="([\d.]+)"/;
/** The renderer imports its font from another host. */
const FONT_IMPORT = /@import url\([^)]*\);\s*/g;

/** Replaces `mermaid` blocks by drawings. */
export function diagrams(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error("the Markdown renderer has no rule for code blocks");
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    if (token?.info.trim() !== "mermaid") return fence(tokens, index, ...rest);
    // Not as part of the template, from which Vue removes the drawing's style.
    const drawing = drawDiagram(token.content);
    const [, width = ""] = WIDTH.exec(drawing) ?? [];
    return `<div class="diagram" style="--width: ${width}px" v-html="${md.utils.escapeHtml(JSON.stringify(drawing))}"></div>`;
  };
}

/** Draws a Mermaid diagram as SVG. */
export function drawDiagram(source: string): string {
  return renderMermaidSVG(source, COLOURS).replaceAll(FONT_IMPORT, "");
}
