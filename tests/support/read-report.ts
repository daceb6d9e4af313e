/** The content of a page that report.render has made: the cells of its tables and the text of its charts. */
export function readReport(html: string) {
  const inside = (tag: string, text: string): string[] =>
    [...text.matchAll(new RegExp(`<${tag}[ >][\\s\\S]*?</${tag}>`, "g"))].map(([element]) => element);
  const words = (text: string): string =>
    text
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll("&amp;", "&")
      .replaceAll("&#39;", "'")
      .trim();
  return {
    title: words(inside("h1", html)[0] ?? ""),
    headings: inside("h2", html).map(words),
    tables: inside("table", html).map((table) =>
      inside("tr", table).map((row) =>
        [...row.matchAll(/<t[hd][ >][\s\S]*?<\/t[hd]>/g)].map(([cell]) => cell).map(words),
      ),
    ),
    charts: inside("svg", html).map(words),
  };
}
