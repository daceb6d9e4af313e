/** Converts providers' results to ours: plain text, complete addresses, no duplicates. */
import { z } from "zod";
import { stripMarkup } from "../page/child/markup.ts";
import type { WebResult } from "./search-provider.ts";

const TITLE_CHARS_MAX = 300;
const SNIPPET_CHARS_MAX = 2_000;
const URL_CHARS_MAX = 4_000;

/** The provider's names for the fields of a result. */
export type ResultFields = { readonly snippet: string; readonly published: readonly string[] };

/**
 * The first `limit` results that have an address.
 *
 * @param items - As received; anything that is not a result is skipped.
 */
export function toResults(
  items: unknown,
  { fields, limit }: { readonly fields: ResultFields; readonly limit: number },
): WebResult[] {
  const found = new Map<string, WebResult>();
  for (const item of Array.isArray(items) ? items : []) {
    if (found.size >= limit) break;
    const result = toResult(item, fields);
    if (result !== undefined && !found.has(result.url)) found.set(result.url, result);
  }
  return [...found.values()];
}

const Item = z.record(z.string(), z.unknown());

function toResult(value: unknown, { snippet, published }: ResultFields): WebResult | undefined {
  const item = Item.safeParse(value).data ?? {};
  const url = URL.parse(textOf(item["url"]));
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > URL_CHARS_MAX) return undefined;
  const title = plain(textOf(item["title"])).slice(0, TITLE_CHARS_MAX);
  const date = published.map((name) => dateOf(textOf(item[name]))).find((found) => found !== undefined);
  return {
    title: title === "" ? url.host : title,
    url: url.href,
    snippet: plain(textOf(item[snippet])).slice(0, SNIPPET_CHARS_MAX),
    ...(date === undefined ? {} : { published: date }),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 4 * SNIPPET_CHARS_MAX) : "";
}

/** Matching words come in bold, and characters as entities. */
function plain(text: string): string {
  return stripMarkup(text.replaceAll(/<\/?(?:b|strong|em|i|mark)>/gi, "")).replaceAll(/\s+/g, " ");
}

/** The day, if it is unambiguous: `2026-03-01T08:00:00`, or a date with its time zone. */
function dateOf(text: string): string | undefined {
  const iso = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  const day = iso ?? (/(?:GMT|UTC|[+-]\d{2}:?\d{2})$/.test(text) ? isoDay(Date.parse(text)) : undefined);
  return z.iso.date().safeParse(day).data;
}

function isoDay(time: number): string | undefined {
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}
