/** Settings of the testing library, and stubs for what happy-dom lacks, for every test of the page. */
import { configure } from "@testing-library/react";

const SHOWN_CHARS = 3_000;

configure({
  // This only catches a hanging test: a slow machine must not fail one.
  asyncUtilTimeout: 30_000,
  // The page's text is more helpful than a dump of its first elements.
  getElementError: (message, container) => {
    const [missing = "nothing was found"] = (message ?? "").split("\n");
    return new Error(`${missing}\nthe text there is: ${container.textContent.slice(0, SHOWN_CHARS)}`);
  },
});

// happy-dom has no layout, but a list draws only the rows that fit its height, and a graph only nodes with a size: each
// element is as large as the window.
for (const name of ["clientHeight", "offsetHeight"]) define(name, () => innerHeight);
for (const name of ["clientWidth", "offsetWidth"]) define(name, () => innerWidth);

function define(name: string, get: () => number): void {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get });
}

/** Reports the size of an element when it is observed; after that, no size changes. */
class ReportsOnce implements ResizeObserver {
  readonly #callback: ResizeObserverCallback;

  constructor(callback: ResizeObserverCallback) {
    this.#callback = callback;
  }

  observe(target: Element): void {
    const size = { inlineSize: innerWidth, blockSize: innerHeight };
    const contentRect = new DOMRect(0, 0, innerWidth, innerHeight);
    const entry: ResizeObserverEntry = {
      target,
      contentRect,
      contentBoxSize: [size],
      borderBoxSize: [size],
      devicePixelContentBoxSize: [size],
    };
    queueMicrotask(() => this.#callback([entry], this));
  }

  unobserve(): void {}

  disconnect(): void {}
}
globalThis.ResizeObserver = ReportsOnce;

/** A worker that does not start: the page then lays out graphs itself. */
class FailingWorker extends EventTarget implements Worker {
  onmessage = null;
  onmessageerror = null;
  onerror = null;

  postMessage(): void {
    queueMicrotask(() => this.dispatchEvent(new ErrorEvent("error", { message: "there are no workers" })));
  }

  terminate(): void {}
}
globalThis.Worker = FailingWorker;
