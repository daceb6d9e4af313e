/** The kind of a step's output, derived from its shape: the judge does not receive the step's arguments. */
import { z } from "zod";

const Rows = z.object({ rows: z.array(z.record(z.string(), z.json())), truncated: z.boolean().catch(false) });
/** A shorter line is complete: a title, or an entry. */
const WRAPPED_CHARS_MIN = 50;

/** Joins the lines of wrapped paragraphs: a line that ends mid-sentence continues on the next. */
function unwrapped(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const above = lines.at(-1) ?? "";
    const isBroken = above.length >= WRAPPED_CHARS_MIN && /^[^#|].*[^.!?:;|]$/.test(above);
    const goesOn = /^\s*[^\s#*+|>\d-]|^\s*\d+(?![.)\d])/.test(line);
    if (isBroken && goesOn) lines.splice(-1, 1, `${above} ${line.trim()}`);
    else lines.push(line.trimEnd());
  }
  return lines.join("\n");
}

const Hit = z.object({
  path: z.string(),
  title: z.string().catch(""),
  snippet: z.string().transform(unwrapped),
});
export type Hit = z.infer<typeof Hit>;
const Hits = z.object({ hits: z.array(Hit) });
const Page = z.object({ url: z.string(), title: z.string().nullish(), text: z.string() });
const Saved = z.object({ path: z.string(), bytes: z.number() });
const Drawn = z.object({ artifact: z.json(), contentType: z.string() });
const Value = z.object({ value: z.json() });
const Text = z.object({ text: z.string() });

/** The words of a passage's title and file name. */
export function titleWords({ title, path }: Hit): string {
  return `${title} ${path.replace(/\.\w+$/, "").replaceAll(/[-_/]/g, " ")}`;
}

/**
 * The topic of a passage: its headings, without those that list several things and without their `of` phrases.
 * `Returns, refunds and warranty` does not tell which of the three a sentence is about.
 */
export function titlePartsOf({ title, path }: Hit): readonly string[] {
  const parts = title === "" ? [titleWords({ title, path, snippet: "" })] : title.split("›");
  return parts.filter((part) => !/,|\band\b/i.test(part)).map((part) => part.replace(/\bof\b.*$/i, ""));
}

/** The items of headings that list several things: `Returns, refunds and warranty`. */
export function listingsOf({ title }: Hit): readonly (readonly string[])[] {
  return title
    .split("›")
    .filter((part) => /,|\band\b/i.test(part))
    .map((part) =>
      part
        .split(/,|\band\b/i)
        .map((item) => item.trim())
        .filter((item) => item !== ""),
    );
}

export type Row = Readonly<Record<string, unknown>>;

export type Output =
  | { readonly kind: "rows"; readonly rows: readonly Row[]; readonly truncated: boolean }
  | { readonly kind: "hits"; readonly hits: readonly Hit[] }
  | { readonly kind: "page"; readonly url: string; readonly title: string; readonly text: string }
  | { readonly kind: "saved"; readonly path: string; readonly bytes: number }
  | { readonly kind: "drawn" }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "other"; readonly value: unknown };

export function readOutput(output: unknown): Output {
  const rows = Rows.safeParse(output);
  if (rows.success) return { kind: "rows", ...rows.data };
  const hits = Hits.safeParse(output);
  if (hits.success) return { kind: "hits", hits: hits.data.hits };
  const page = Page.safeParse(output);
  if (page.success) return { kind: "page", ...page.data, title: page.data.title ?? "" };
  const saved = Saved.safeParse(output);
  if (saved.success) return { kind: "saved", ...saved.data };
  if (Drawn.safeParse(output).success) return { kind: "drawn" };
  const text = Text.safeParse(output);
  if (text.success) return { kind: "text", text: text.data.text };
  const value = Value.safeParse(output);
  if (value.success) return { kind: "value", value: value.data.value };
  return { kind: "other", value: output };
}
