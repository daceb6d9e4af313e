/** What can be read on the page: not what is there but folded away. */
import { type Matcher, waitFor, within } from "@testing-library/react";

/** The first element with this text that somebody can see. @throws When there is none before long. */
export async function findSeen(part: HTMLElement, text: Matcher): Promise<HTMLElement> {
  return waitFor(() => {
    const [seen] = within(part).getAllByText(text).filter(isSeen);
    if (seen === undefined) throw new Error(`what says ${String(text)} is folded away`);
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
