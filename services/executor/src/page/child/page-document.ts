import { parseHTML } from "linkedom";

/** The few parts of a browser's document that are used here; its own types describe all of a browser. */
export type PageDocument = {
  readonly body: PageElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
};

export type PageElement = {
  readonly innerHTML: string;
  readonly textContent: string;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly removeAttribute: (name: string) => void;
  readonly remove: () => void;
};

export function parsePage(html: string): PageDocument {
  const window: unknown = parseHTML(html);
  // The package declares a whole window of a browser, a type that Node does not have.
  return (window as { readonly document: PageDocument }).document;
}
