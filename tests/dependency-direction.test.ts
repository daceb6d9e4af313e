// What may import what, read from every import of every source.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const ROOT = path.resolve(import.meta.dirname, "..");
const SOURCE_LINES_MAX = 300;
const SERVICES = ["planner", "executor", "reflector", "gateway"] as const;

/** What each package and service may import of ours, beside itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  plan: [],
  api: ["plan"],
  client: ["api", "plan"],
  shared: ["plan"],
  "tools-kit": ["shared", "plan"],
  planner: ["shared", "plan"],
  executor: ["tools-kit", "shared", "plan"],
  reflector: ["shared", "plan"],
  gateway: ["shared", "api", "plan"],
  "offline-model": ["shared", "plan"],
  launcher: ["shared", "plan", "offline-model", ...SERVICES],
  testkit: ["shared", "api", "client", "plan", "tools-kit", "offline-model", "launcher", ...SERVICES],
  dashboard: ["api", "client", "plan"],
  "docs-site": [],
  cli: ["shared", "api", "client", "plan", "offline-model", "launcher", ...SERVICES],
};

type Source = { readonly file: string; readonly owner: string; readonly text: string };
type Import = Source & { readonly specifier: string };

const faceOfPlan = z
  .object({ exports: z.record(z.string(), z.string()) })
  .parse(JSON.parse(await readFile(path.join(ROOT, "packages/plan/package.json"), "utf8"))).exports;
const sources = await readSources();
const imports = sources.flatMap((source) =>
  specifiersOf(source.text).map((specifier): Import => ({ ...source, specifier })),
);
/** By `npm run docs`. */
const isWritten = ({ file }: Source) => file === "packages/client/src/contract.ts";
const isTest = ({ file }: Source) => /\.test\.tsx?$|\/test\/|\/testing\//.test(file);

/** The page is bundled where everything is installed, and vitest runs whatever imports the testkit. */
const OF_NO_MANIFEST = new Set(["dashboard", "testkit"]);
const Dependencies = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  name: z.string(),
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
  peerDependencies: Dependencies,
});

describe("the sources", () => {
  it("are found, with their imports, in every package and service that has any", () => {
    const owners = new Set(sources.map(({ owner }) => owner));
    for (const owner of ["plan", "shared", "launcher"]) expect(owners).toContain(owner);
    expect([...owners].filter((owner) => !(owner in ALLOWED))).toEqual([]);
    expect(imports.length).toBeGreaterThan(100);
  });

  it("import only packages that their own manifest installs with them", async () => {
    const wrong: string[] = [];
    const checked = sources.filter((source) => !isTest(source) && !OF_NO_MANIFEST.has(source.owner));
    const byFolder = Map.groupBy(checked, ({ file }) => file.split("/").slice(0, 2).join("/"));
    for (const [folder, own] of byFolder) {
      const manifest = Manifest.parse(
        JSON.parse(await readFile(path.join(ROOT, folder, "package.json"), "utf8")),
      );
      const installed = {
        ...manifest.dependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
      };
      for (const { file, text } of own)
        for (const name of packagesOf(text))
          if (!(name in installed) && name !== manifest.name) wrong.push(`${file}: ${name}`);
    }
    expect(wrong).toEqual([]);
  });

  it("import only packages that stand below their own", () => {
    const wrong = imports.filter((entry) => {
      const target = ownTarget(entry);
      if (target === undefined || target === entry.owner) return false;
      // Tests may stand on the testkit, which stands on everything.
      if (isTest(entry) && (target === "testkit" || target === "launcher")) return false;
      return !ALLOWED[entry.owner]?.includes(target);
    });
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it("leave what is made for tests to tests and to the testkit", () => {
    const wrong = imports.filter(
      (entry) =>
        !isTest(entry) && entry.owner !== "testkit" && /\/testing(\/|$)|\/test\//.test(entry.specifier),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it("have what they import among the dependencies that an installation without development has", async () => {
    const wrong: string[] = [];
    for (const owner of Object.keys(ALLOWED)) {
      // The page is bundled, and its parts are not installed by users.
      if (owner === "dashboard") continue;
      const own = imports.filter(
        (entry) => entry.owner === owner && !isTest(entry) && entry.specifier.startsWith("@planwright/"),
      );
      const folder = own[0]?.file.split("/").slice(0, 2).join("/");
      if (folder === undefined) continue;
      const { name, dependencies = {} } = z
        .object({ name: z.string(), dependencies: z.record(z.string(), z.string()).optional() })
        .parse(JSON.parse(await readFile(path.join(ROOT, folder, "package.json"), "utf8")));
      const named = new Set(own.map(({ specifier }) => specifier.split("/").slice(0, 2).join("/")));
      wrong.push(
        ...[...named]
          .filter((one) => one !== name && !(one in dependencies))
          .map((one) => `${folder}: ${one}`),
      );
    }
    expect(wrong).toEqual([]);
  });

  it("reach another package by its name, never by a path into it", () => {
    const wrong = imports.filter((entry) => {
      if (!entry.specifier.startsWith(".")) return false;
      return ownerOf(path.join(path.dirname(entry.file), entry.specifier)) !== entry.owner;
    });
    expect(wrong.map(describeImport)).toEqual([]);
  });
});

describe("packages/plan and packages/api", () => {
  it("import nothing that reaches outside: no built-in module, no package beyond data, schemas and pure functions", () => {
    const allowed: Readonly<Record<string, RegExp>> = {
      plan: /^(\.|zod$|immutable$|diff$|fastest-levenshtein$|@noble\/hashes\/)/,
      api: /^(\.|zod$|@planwright\/plan$)/,
    };
    const wrong = imports.filter(
      (entry) => !isTest(entry) && allowed[entry.owner]?.test(entry.specifier) === false,
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it("use no clock, no randomness and no I/O of the runtime", () => {
    const reaches =
      /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|crypto\.|fetch\(|setTimeout|setInterval|process\.|console\.)/;
    const wrong = sources.filter(
      (source) =>
        ["plan", "api"].includes(source.owner) &&
        !isTest(source) &&
        reaches.test(withoutComments(source.text)),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });
});

describe("the page", () => {
  it("imports values only from modules of the plan that bring no large library along", () => {
    const small = new Set(["diff", "fastest-levenshtein"]);
    const named = imports.filter(({ owner, specifier }) => owner === "dashboard" && isOfPlan(specifier));
    const entries = named.filter((entry) => !isTest(entry) && namesValues(entry)).map(moduleOf);
    const reached = [...new Set(entries)];
    for (const file of reached) {
      const beside = imports.filter((entry) => entry.file === file && namesValues(entry));
      for (const entry of beside) if (!reached.includes(moduleOf(entry))) reached.push(moduleOf(entry));
    }
    const libraries = reached.filter((module) => !module.startsWith("packages/plan/src/"));
    expect(libraries.filter((library) => !small.has(library))).toEqual([]);
  });
});

describe("the client", () => {
  it("loads a parser of event streams and one pure module of the plan, and no schema", () => {
    const foreign = imports.filter(
      (entry) =>
        entry.owner === "client" && !isTest(entry) && namesValues(entry) && !entry.specifier.startsWith("."),
    );
    expect([...new Set(foreign.map(({ specifier }) => specifier))].sort()).toEqual([
      "@planwright/plan/json-changes",
      "eventsource-parser",
    ]);
  });
});

it(`no source file is longer than ${SOURCE_LINES_MAX} lines`, () => {
  const long = sources.filter(
    (source) =>
      !isTest(source) && !isWritten(source) && source.text.split("\n").length - 1 > SOURCE_LINES_MAX,
  );
  expect(long.map(({ file }) => file)).toEqual([]);
});

describe("reading imports", () => {
  it("sees every form of import, and none in comments and strings", () => {
    const text = `
      import "a";
      import type { B } from "b";
      import {
        c,
      } from "c";
      export { d } from "d";
      const e = await import("e");
      type F = import("f").F;
      // import "comment";
      /* import "comment"; */
      const url = "https://example.org/"; import g from "g";
    `;
    expect(specifiersOf(text).sort()).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  });
});

async function readSources(): Promise<Source[]> {
  const files: string[] = [];
  const patterns = ["packages/*/{src,test}/**/*.{ts,tsx}", "services/*/{src,test}/**/*.{ts,tsx}"];
  for await (const file of glob(patterns, { cwd: ROOT })) files.push(file);
  return Promise.all(
    files.sort().map(async (file) => ({
      file,
      owner: ownerOf(file),
      text: await readFile(path.join(ROOT, file), "utf8"),
    })),
  );
}

/** The package or service that a file belongs to: the second part of its path. */
function ownerOf(file: string): string {
  return file.split(path.sep)[1] ?? "";
}

/** Which of our packages an import names, if it is one of ours. */
function ownTarget({ specifier }: Import): string | undefined {
  return /^@planwright\/([\w-]+)/.exec(specifier)?.[1];
}

function isOfPlan(specifier: string): boolean {
  return specifier.startsWith("@planwright/plan");
}

/** Whether any import of it in the file is more than one of types. */
function namesValues({ text, specifier }: Import): boolean {
  const code = withoutComments(text);
  const typed = new RegExp(
    `(?:import|export) type\\s[^"';]*?\\sfrom\\s+["']${RegExp.escape(specifier)}["']`,
    "g",
  );
  return specifiersOf(code.replace(typed, "")).includes(specifier);
}

/** The file that an import leads to; of another package, what was imported. */
function moduleOf({ file, specifier }: Import): string {
  if (specifier.startsWith(".")) return path.join(path.dirname(file), specifier);
  const subpath = /^@planwright\/plan(\/.+)$/.exec(specifier)?.[1];
  const target = subpath === undefined ? undefined : faceOfPlan[`.${subpath}`];
  return target === undefined ? specifier : path.join("packages/plan", target);
}

function specifiersOf(text: string): string[] {
  const code = withoutComments(text);
  const forms = [
    /(?:^|[;\s])(?:import|export)\s[^"';]*?\sfrom\s+["']([^"']+)["']/g,
    /(?:^|[;\s])import\s+["']([^"']+)["']/g,
    /\bimport\(\s*["']([^"']+)["']\s*\)/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map(([, specifier = ""]) => specifier));
}

/** Comments gone, strings kept: a `//` inside a string, as in a URL, begins no comment. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_all, string) => string ?? "",
  );
}

function describeImport({ file, specifier }: Import): string {
  return `${file} imports ${specifier}`;
}

/** The packages of static imports that are there when the source runs: Node strips those of types. */
function packagesOf(text: string): Set<string> {
  const imported = text.matchAll(/^(?:import|export)\s+(?!type\b)[^"';]*?from\s+"([^".][^"]*)"/gm);
  const bare = [...imported]
    .map(([, specifier = ""]) => specifier)
    .filter((name) => !name.startsWith("node:"));
  return new Set(
    bare.map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    ),
  );
}
