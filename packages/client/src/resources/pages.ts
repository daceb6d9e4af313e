/** Paginated lists. */

/** Iterate over it for the entries of all pages; `firstPage` and `pages` return the pages. Requests are sent only when needed. */
export type Pages<Entry, Page> = AsyncIterable<Entry> & {
  firstPage(): Promise<Page>;
  pages(): AsyncGenerator<Page, void, undefined>;
};

type Cursored = { readonly nextCursor?: string | undefined };

export function createPages<Entry, Page extends Cursored>({
  cursor: first,
  read,
  entriesOf,
}: {
  readonly cursor: string | undefined;
  readonly read: (cursor: string | undefined) => Promise<Page>;
  readonly entriesOf: (page: Page) => readonly Entry[];
}): Pages<Entry, Page> {
  const pages = async function* (): AsyncGenerator<Page, void, undefined> {
    for (let cursor = first; ; ) {
      const page = await read(cursor);
      yield page;
      // A cursor that points to itself would never end.
      if (page.nextCursor === undefined || page.nextCursor === cursor) return;
      cursor = page.nextCursor;
    }
  };
  return {
    firstPage: () => read(first),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* entriesOf(page);
    },
  };
}
