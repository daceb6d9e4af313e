import type { Json } from "../api/api-types.ts";

const CODE_NAMES = new Set(["sql", "code"]);
const SQL = /^\s*(?:select|with|insert|update|delete|explain)\b.*\b(?:as|from|into|set|where)\b/i;

/** Whether an argument is better shown as code than as prose: SQL, source code, any multi-line text. */
export function isCode(name: string, value: Json): value is string {
  if (typeof value !== "string" || value === "") return false;
  return CODE_NAMES.has(name) || value.trim().includes("\n") || (name === "query" && SQL.test(value));
}
