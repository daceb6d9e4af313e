/** The texts around values. */

export const ARTIFACT_IMAGE = {
  loading: (name: string | number) => `Loading ${name}`,
  image: (name: string | number) => `Image ${name}`,
} as const;

export const ARTIFACT_PAGE = {
  loading: (name: string | number) => `Loading ${name}`,
  page: (name: string | number) => `Page ${name}`,
} as const;

export const ARTIFACT_TEXT = {
  loading: (name: string | number, bytes: string | number) => `Loading ${name}, ${bytes}`,
} as const;

export const DATA_TABLE = {
  table: "Table",
  truncatedByTheTool: ", truncated by the tool",
  previousRows: "Previous rows",
  nextRows: "Next rows",
} as const;

export const FOLDED = {
  showLess: "Show less",
  showAllCharacters: (value: string | number) => `Show all (${value} characters)`,
} as const;

export const JSON_VIEW = {
  copyJson: "Copy JSON",
  json: "JSON",
  moreCharacters: (value: string | number) => `${value} more characters`,
  showAll: "Show all",
} as const;

export const MARKDOWN = {
  table: "Table",
} as const;

export const SEARCH_HITS = {
  noResults: "No results",
} as const;

export const SHORT_VALUE = {
  emptyText: "(empty text)",
} as const;

export const VALUE_VIEW = {
  emptyText: "(empty text)",
} as const;
