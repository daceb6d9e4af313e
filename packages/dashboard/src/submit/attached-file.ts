import { ATTACHED_FILE } from "./submit-words.ts";
/** The kind of an attached file, and the name under which it becomes a data source. */

export type AttachedKind = "csv" | "sqlite" | "text";

export const SOURCE_BYTES_MAX = 64 * 1024 * 1024;
export const TEXT_CHARS_MAX = 1_000_000;
const NAME_CHARS_MAX = 64;

const KINDS: Readonly<Record<string, AttachedKind>> = {
  csv: "csv",
  tsv: "csv",
  sqlite: "sqlite",
  sqlite3: "sqlite",
  db: "sqlite",
  txt: "text",
  md: "text",
  markdown: "text",
  log: "text",
};
export const ACCEPTED = Object.keys(KINDS)
  .map((extension) => `.${extension}`)
  .join(",");

/** Determines the kind from the file's name. @returns An error message when the file cannot be attached. */
export function kindOf({
  name,
  size,
}: Pick<File, "name" | "size">): AttachedKind | { readonly fault: string } {
  const extension = extensionOf(name);
  const kind = Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
  if (kind === undefined) {
    return { fault: ATTACHED_FILE.wrongType(name) };
  }
  if (size === 0) return { fault: ATTACHED_FILE.isEmpty(name) };
  if (size > SOURCE_BYTES_MAX) return { fault: ATTACHED_FILE.tooLarge(name, mib(size)) };
  return kind;
}

/** A valid name for a data source: a letter first, then letters, digits, `_` or `-`. */
export function sourceNameOf(fileName: string): string {
  const stem = fileName.slice(0, fileName.length - extensionOf(fileName).length).replace(/\.$/, "");
  const plain = stem
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  const begun = plain.replace(/^[^A-Za-z]+/, "").replace(/-+$/, "");
  return begun.slice(0, NAME_CHARS_MAX) || "data";
}

/** The name itself, or with the first free number. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const other = name.slice(0, NAME_CHARS_MAX - suffix.length) + suffix;
    if (!taken.has(other)) return other;
  }
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1).toLowerCase();
}

function mib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}
