import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Markdown } from "./markdown.tsx";

const HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';

it.each([
  ["a paragraph", HOSTILE],
  ["a heading", `# ${HOSTILE}`],
  ["a quotation", `> ${HOSTILE}`],
  ["a list", `- ${HOSTILE}`],
  ["a table", `| a |\n|---|\n| ${HOSTILE} |`],
  ["code", `\`\`\`\n${HOSTILE}\n\`\`\``],
])("shows HTML in %s as text", (_, text) => {
  const html = renderToStaticMarkup(createElement(Markdown, { text }));
  expect(html).toContain("&lt;img src=x");
  expect(html).not.toMatch(/<(?:img|script)\b/);
});
