/** Finds visible elements: an element inside a closed section is in the document, but not visible. */
import { type Matcher, waitFor, within } from "@testing-library/react";

/** The first visible element with this text. @throws {Error} When none appears in time. */
export async function findSeen(part: HTMLElement, text: Matcher): Promise<HTMLElement> {
  return waitFor(() => {
    const [seen] = within(part).getAllByText(text).filter(isSeen);
    if (seen === undefined) throw new Error(`the element with the text ${String(text)} is folded away`);
    return seen;
  });
}

function isSeen(element: Element): boolean {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    if (one.hasAttribute("hidden")) return false;
    const folder = one.parentElement;
    const isFolded = folder instanceof HTMLDetailsElement && !folder.open && one.tagName !== "SUMMARY";
    if (isFolded) return false;
  }
  return true;
}
