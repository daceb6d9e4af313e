/** Generated from docs/README.md when the page is built; see docs-pages.ts beside vite.config.ts. */
declare module "virtual:docs-pages" {
  export const DOCS_PAGES: readonly {
    readonly title: string;
    /** The part of the docs, such as `Guides › Models`. */
    readonly section: string;
    readonly href: string;
  }[];
}
