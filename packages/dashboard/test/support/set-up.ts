/** What every test of the page tells the library that looks at it, and what the page needs of a browser besides. */
import { configure } from "@testing-library/react";

const SHOWN_CHARS = 3_000;

configure({
  // A slow machine must not fail a test: this only catches what hangs.
  asyncUtilTimeout: 30_000,
  // The page's words tell more than the first elements of its bar.
  getElementError: (message, container) => {
    const [missing = "nothing was found"] = (message ?? "").split("\n");
    return new Error(`${missing}\nwhat is there says: ${container.textContent.slice(0, SHOWN_CHARS)}`);
  },
});

// Nothing is laid out here, and a list draws the rows that its height has room for: each is as high as the window.
Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => innerHeight });
