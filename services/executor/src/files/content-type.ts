const TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  // Served as text: a page written by a model must not run in a viewer's browser.
  html: "text/plain",
  json: "application/json",
  md: "text/markdown",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  xml: "text/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

/** The content type of a text file, by the end of its name; plain text when the end says nothing. */
export function contentTypeOf(path: string): string {
  const end = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const type = Object.hasOwn(TYPES, end) ? TYPES[end] : undefined;
  return `${type ?? "text/plain"}; charset=utf-8`;
}
