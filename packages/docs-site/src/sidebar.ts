/**
 * The sidebar, read from the index of the docs: its `##` headings are the parts, its `###` headings the groups, and the first
 * link of each list item is an entry. So the index on GitHub and the sidebar of the site cannot differ.
 */
export type SidebarEntry = {
  readonly text: string;
  /** The page, relative to docs/. */
  readonly page: string;
};

export type SidebarGroup = {
  /** Empty for entries that belong to no group. */
  readonly title: string;
  readonly entries: readonly SidebarEntry[];
};

export type SidebarPart = { readonly title: string; readonly groups: readonly SidebarGroup[] };

const ENTRY = /^- \[(?<text>[^\]]+)\]\((?<page>[^)#]+\.md)\)/;

/** @param index - The text of docs/README.md. */
export function readSidebar(index: string): SidebarPart[] {
  const parts: { title: string; groups: { title: string; entries: SidebarEntry[] }[] }[] = [];
  for (const line of index.split("\n")) {
    const [, marks, title = ""] = /^(#{2,3}) (.+)$/.exec(line) ?? [];
    if (marks === "##") parts.push({ title, groups: [] });
    if (marks === "###") parts.at(-1)?.groups.push({ title, entries: [] });
    const { text = "", page } = ENTRY.exec(line)?.groups ?? {};
    const groups = parts.at(-1)?.groups;
    if (page === undefined || groups === undefined) continue;
    if (groups.length === 0) groups.push({ title: "", entries: [] });
    groups.at(-1)?.entries.push({ text: text.replaceAll("`", ""), page });
  }
  return parts;
}
