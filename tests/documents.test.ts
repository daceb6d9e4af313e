// Whatever the documents name is there: files, headings, images, commands, variables and routes.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Document, readDocument, readDocuments } from "./support/documents/read-documents.ts";

/** It tells what was, also of what has gone since. */
const HISTORY = "CHANGELOG.md";
const TOP = ["packages", "services", "docs", "examples", "tests", "scripts", "benchmarks", "deploy"];
const PATH_IN_CODE = new RegExp(`(?<![\\w./-])(?:${TOP.join("|")})/[\\w{}*,./-]*[\\w*}]`, "g");
/** Of other programs, and of a reader's own. */
const FOREIGN = new Set([
  "OLLAMA_CONTEXT_LENGTH",
  "OLLAMA_NUM_PARALLEL",
  "TICKETS_TOKEN",
  "PLANWRIGHT_SECRET_CRM",
]);
/** Placeholders for a reader's own values. */
const PLACEHOLDER = /[A-Z]{2,}|…/;

const documents = readDocuments();
const present = documents.filter(({ file }) => file !== HISTORY);
const reference = (name: string) => readFileSync(`docs/reference/${name}.md`, "utf8");

/** `file: what is wrong` of all documents, so that one run shows everything. */
function faults(of: readonly Document[], find: (document: Document) => Iterable<string>): string[] {
  return of.flatMap((document) => [...find(document)].map((fault) => `${document.file}: ${fault}`));
}

describe("the Node version that is needed", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };

  it("is the same in package.json, the first script, the documents and CI", () => {
    const major = Number(/^>=(\d+)$/.exec(engines.node)?.[1]);
    expect(readFileSync("scripts/up.mjs", "utf8")).toContain(`const NODE_MIN = ${major};`);
    const files = [...present.map(({ file }) => file), ...globSync(".ci/*")];
    const named = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/Node (\d+) or newer/g)].map(([, said]) => [
        file,
        Number(said),
      ]),
    );
    expect(named.map(([file]) => file)).toEqual(expect.arrayContaining(["README.md", "CONTRIBUTING.md"]));
    expect(named.filter(([, said]) => said !== major)).toEqual([]);
  });
});

describe("links", () => {
  const byFile = new Map(documents.map((document) => [document.file, document]));
  const isOurs = ({ target }: { target: string }) => !/^[a-z]+:/.test(target);

  it("are found: hundreds of them, with anchors and images", () => {
    const links = documents.flatMap((document) => document.links).filter(isOurs);
    expect(links.length).toBeGreaterThan(200);
    expect(links.some(({ isImage }) => isImage)).toBe(true);
    expect(links.filter(({ target }) => target.includes("#")).length).toBeGreaterThan(10);
  });

  it("lead to a file and a heading that exist", () => {
    const broken = faults(documents, function* ({ file, links }) {
      for (const { target } of links.filter(isOurs)) {
        const [place = "", anchor] = target.split("#");
        const to = place === "" ? file : path.posix.join(path.posix.dirname(file), decodeURI(place));
        if (!existsSync(to)) yield `${target} is not there`;
        else if (anchor !== undefined && byFile.get(to)?.anchors.has(anchor) !== true)
          yield `${to} has no heading ${anchor}`;
      }
    });
    expect(broken).toEqual([]);
  });

  it("reach every page of docs/ from the README", () => {
    const reached = new Set(["README.md"]);
    for (const file of reached) {
      for (const { target } of byFile.get(file)?.links.filter(isOurs) ?? []) {
        const to = path.posix.join(path.posix.dirname(file), target.split("#")[0] ?? "");
        if (!existsSync(to)) continue;
        reached.add(statSync(to).isDirectory() ? path.posix.join(to, "README.md") : to);
      }
    }
    const pages = documents.map(({ file }) => file).filter((file) => file.startsWith("docs/"));
    expect(pages.filter((file) => !reached.has(file))).toEqual([]);
  });

  it("are read as a reader sees them", () => {
    const { links, anchors } = readDocument(
      "x.md",
      "# A `b` (c) d\n\n# A b c d\n\n[`x`](y.md#z) ![i](i.png) `[no](link)`\n\n```\n[nor](this)\n# nor this\n```\n",
    );
    expect(links).toEqual([
      { target: "y.md#z", isImage: false },
      { target: "i.png", isImage: true },
    ]);
    expect([...anchors]).toEqual(["a-b-c-d", "a-b-c-d-1"]);
  });
});

describe("names in code", () => {
  it("names files that exist", () => {
    const missing = faults(present, function* ({ codeSpans }) {
      for (const [name] of codeSpans.flatMap((code) => [...code.matchAll(PATH_IN_CODE)])) {
        if (PLACEHOLDER.test(name)) continue;
        const isThere = /[*{]/.test(name)
          ? globSync(name, { exclude: (entry) => entry === "node_modules" }).length > 0
          : existsSync(name);
        if (!isThere) yield name;
      }
    });
    expect(missing).toEqual([]);
  });

  it("names npm commands that exist", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync("package.json", "utf8")));
    const tests = globSync("{tests,scripts,benchmarks,packages,services}/**/*.test.{ts,tsx}", {
      exclude: (entry) => entry === "node_modules",
    });
    const wrong = faults(present, function* ({ text }) {
      for (const [call, name = ""] of text.matchAll(/\bnpm run ([\w:]+)/g))
        if (!(name in scripts)) yield call;
      for (const [call, file = ""] of text.matchAll(/\bnpm test -- (?!-)([\w./-]+)/g))
        if (!tests.some((test) => test.includes(file))) yield call;
      for (const [call, name = ""] of text.matchAll(/\bnpm run example -- ([\w-]+)/g))
        if (!existsSync(`examples/${name}/request.json`)) yield call;
      for (const [call, name = ""] of text.matchAll(/\bnpm run bench -- ([a-z][\w-]*)/g))
        if (!readFileSync("benchmarks/README.md", "utf8").includes(name)) yield call;
    });
    expect(wrong).toEqual([]);
  });

  it("names commands and options of the command line that exist", () => {
    const sections = reference("cli").split(/^### planwright /m);
    const [common = ""] = sections;
    const byName = new Map(sections.slice(1).map((text) => [/^[\w-]+/.exec(text)?.[0] ?? "", text]));
    const wrong = faults(present, function* (document) {
      for (const line of commandLines(document)) {
        const [, name = "", rest = ""] = /^npx planwright ([\w-]+)(.*)/.exec(line) ?? [];
        if (["", "help", "--help"].includes(name)) continue;
        const text = byName.get(name);
        if (text === undefined) yield `${line}: there is no such command`;
        const options = rest.replaceAll(/"[^"]*"|'[^']*'/g, "").matchAll(/(?<=\s)--[\w-]+/g);
        for (const [option] of options)
          if (!new RegExp(`[\`,] ?${option}\\b`).test(`${common}${text}\`--help`))
            yield `${line}: it has no ${option}`;
      }
    });
    expect(wrong).toEqual([]);
  });

  it("names variables that the reference knows, or constants of the code", () => {
    const known = new Set(
      Array.from(reference("configuration").matchAll(/^\| `(\w+)`/gm), ([, name = ""]) => name),
    );
    expect(known.size).toBeGreaterThan(50);
    for (const name of FOREIGN) known.add(name);
    // What only Compose reads.
    for (const [, name = ""] of readFileSync("docker-compose.yml", "utf8").matchAll(/\$\{(\w+)/g))
      known.add(name);
    const code = globSync(
      ["{packages,services,benchmarks}/*/src/**/*.ts", "tests/support/**/*.ts", "benchmarks/src/**/*.ts"],
      {
        exclude: (entry) => entry === "node_modules",
      },
    )
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const isConstant = (name: string) =>
      new RegExp(`\\b(?:const|readonly) ${name}\\b|: "${name}",`).test(code);
    const wrong = faults(
      present.filter(({ file }) => !file.startsWith("docs/reference/")),
      function* ({ codeSpans, blocks }) {
        const names = [
          ...codeSpans,
          ...blocks.filter(({ language }) => language !== "mermaid").map(({ code }) => code),
        ]
          .flatMap((text) => [...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)])
          .map(([name]) => name);
        for (const name of new Set(names)) if (!known.has(name) && !isConstant(name)) yield name;
      },
    );
    expect(wrong).toEqual([]);
  });

  it("names routes that the gateway has", () => {
    const routes = Array.from(
      reference("http").matchAll(/^## (GET|POST|PUT|DELETE) (\S+)$/gm),
      ([, method = "", route = ""]) => ({ method, pattern: patternOf(route) }),
    );
    expect(routes.length).toBeGreaterThan(30);
    const exists = (method: string | undefined, route: string) =>
      routes.some((one) => (method === undefined || one.method === method) && one.pattern.test(route));
    const wrong = faults(present, function* ({ text }) {
      for (const [call, method = "", route = ""] of text.matchAll(/\b(GET|POST|PUT|DELETE) (\/[^\s`?,)]+)/g))
        if (isRoute(route) && !exists(method, route)) yield call;
      for (const [call, route = ""] of text.matchAll(/127\.0\.0\.1:8080(\/v1\/[^\s`'"?,)]+)/g))
        if (!exists(undefined, route)) yield call;
    });
    expect(wrong).toEqual([]);
  });
});

/** What a reader would type, without the prompt and what a shell adds. */
function commandLines({ codeSpans, blocks }: Document): string[] {
  const shells = blocks.filter(({ language }) => ["", "sh", "bash", "console"].includes(language));
  return [...codeSpans, ...shells.flatMap(({ code }) => code.split("\n"))]
    .map((line) =>
      line
        .replace(/^\$ /, "")
        .replace(/\s+#.*$/, "")
        .trim(),
    )
    .filter((line) => line.startsWith("npx planwright"));
}

/** Pages of the dashboard and files are no routes of the interface. */
function isRoute(route: string): boolean {
  return route.startsWith("/v1/") || ["/mcp", "/metrics", "/healthz", "/readyz"].includes(route);
}

/** `:id`, `<planId>`, `{planId}` and words in capitals stand for a part of a path; `{name}` at the end for all that follows. */
function patternOf(route: string): RegExp {
  const parts = route
    .split("/")
    .map((part) => (part === "{name}" ? ".+" : part.startsWith("{") ? "[^/]+" : part.replaceAll(".", "\\.")));
  return new RegExp(`^${parts.join("/")}$`);
}
