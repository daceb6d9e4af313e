/**
 * What Brython asks of the page that it believes to be in, as a worker of a browser has it: enough to load, and
 * nothing behind it. No request can be made, no timer runs, and what it writes on its console is dropped.
 */
export const STAND_INS = `
globalThis.self = globalThis;
globalThis.__quiet = () => {};
globalThis.WorkerGlobalScope = class WorkerGlobalScope {};
globalThis.WorkerNavigator = class WorkerNavigator { language = "en"; userLanguage = "en"; platform = ""; userAgent = ""; };
Object.defineProperty(globalThis, "navigator", { value: new WorkerNavigator(), configurable: true });
globalThis.importScripts = () => {};
globalThis.location = { href: "file:///program/", origin: "file://", pathname: "/program/" };
for (const name of ["Node", "NodeList", "Event", "MouseEvent", "CustomEvent"]) globalThis[name] = class {};
globalThis.URL = class URL {
  constructor(href) { this.href = href; this.pathname = href.replace("file://", ""); this.search = ""; this.hash = ""; }
};
globalThis.Intl = {
  DateTimeFormat: class { format() { return "UTC"; } resolvedOptions() { return { timeZone: "UTC" }; } },
};
globalThis.setTimeout = globalThis.setInterval = () => 0;
globalThis.clearTimeout = globalThis.clearInterval = () => {};
globalThis.XMLHttpRequest = class { constructor() { throw new Error("there is no network"); } };
globalThis.crypto = {
  getRandomValues(values) {
    for (let i = 0; i < values.length; i += 1) values[i] = Math.random() * 4294967296;
    return values;
  },
};
`;

/** Makes a script of Brython's write on no console: the program's own is for the program. */
export function withoutConsole(script: string): string {
  return script.replaceAll(/\bconsole\.(log|warn|error|debug|info|trace)\b/g, "__quiet");
}
