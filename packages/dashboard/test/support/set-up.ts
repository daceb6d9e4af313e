/** Settings of the testing library, and what happy-dom lacks, for every test of the page. */
import { configure } from "@testing-library/react";

const SHOWN_CHARS = 3_000;

configure({
  // This only catches a test that hangs: a slow machine must not fail one.
  asyncUtilTimeout: 30_000,
  // The text of the page tells more than a dump of its first elements.
  getElementError: (message, container) => {
    const [missing = "nothing was found"] = (message ?? "").split("\n");
    return new Error(`${missing}\nthe text there is: ${container.textContent.slice(0, SHOWN_CHARS)}`);
  },
});

// happy-dom has no layout, and a list draws only the rows that fit its height: each element is as high as the window.
Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => innerHeight });
