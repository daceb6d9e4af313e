/** Pieces of SQL with their parameters. */

export type Sql = { readonly text: string; readonly params: readonly (string | number)[] };
type Part = string | number | Sql;

export function raw(text: string): Sql {
  return { text, params: [] };
}

export function param(value: string | number): Sql {
  return { text: "?", params: [value] };
}

export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  const filled = parts.map((part) => (typeof part === "object" ? part : raw(String(part))));
  return {
    text: texts.map((text, index) => `${text}${filled[index]?.text ?? ""}`).join(""),
    params: filled.flatMap(({ params }) => params),
  };
}

export function join(parts: readonly Sql[], between: string): Sql {
  return { text: parts.map(({ text }) => text).join(between), params: parts.flatMap(({ params }) => params) };
}
