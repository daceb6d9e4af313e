import { expect, it } from "vitest";
import { readSidebar } from "./sidebar.ts";

it("reads parts, groups and the first link of each list item", () => {
  const index = `# Docs

See [nothing](nothing.md).

## Start

Some text with [a link](no-entry.md).

- [First](first.md): with [another](no-entry.md)
- [The \`cli\`](guides/cli.md)
  - [nested](no-entry.md)
- [outside](https://example.org/)
- [a section](first.md#section)

### Group

- [Third](third.md)

## Empty
`;
  expect(readSidebar(index)).toEqual([
    {
      title: "Start",
      groups: [
        {
          title: "",
          entries: [
            { text: "First", page: "first.md" },
            { text: "The cli", page: "guides/cli.md" },
          ],
        },
        { title: "Group", entries: [{ text: "Third", page: "third.md" }] },
      ],
    },
    { title: "Empty", groups: [] },
  ]);
});
