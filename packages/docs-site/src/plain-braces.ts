import type { MarkdownRenderer } from "vitepress";

/** Shows `{{…}}` as written: Vue would evaluate it, but in the docs it is the syntax of references. */
export function plainBraces(md: MarkdownRenderer): void {
  const render = md.renderAsync.bind(md);
  md.renderAsync = async (source, env) => (await render(source, env)).replaceAll("{{", "&#123;&#123;");
}
