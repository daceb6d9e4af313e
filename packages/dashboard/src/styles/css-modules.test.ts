// Every class name that a sheet defines is used, and every name that is used is defined: a misspelt one would only look wrong.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const SRC = path.resolve(import.meta.dirname, "..");
/** Sheets whose names hold on the whole page. */
const SHARED = ["styles/base.css", "styles/shared.css"];

const sheets = await read("**/*.module.css");
const sources = await read("**/*.{ts,tsx}");
const shared = new Set((await Promise.all(SHARED.map(readSource))).flatMap(({ text }) => classesOf(text)));

it("declares the names of each sheet to the compiler", async () => {
  const names = sheets.map(({ file }) => path.basename(file));
  expect(new Set(names).size).toBe(names.length);
  const declarations = sheets.map(({ file, text }) => {
    const union = classesOf(text)
      .map((name) => `"${name}"`)
      .join(" | ");
    return `declare module "*/${path.basename(file)}" { const styles: Readonly<Record<${union}, string>>; export default styles; }`;
  });
  const head = [
    "// biome-ignore-all format: a test writes this file (npx vitest run --project unit css-modules -u)",
    'declare module "*/index.css";',
  ];
  await expect([...head, ...declarations, ""].join("\n")).toMatchFileSnapshot("./css-modules.d.ts");
});

it.each(sheets)("$file defines no class that nothing uses", ({ file, text }) => {
  const used = new Set(
    sources.flatMap((source) => {
      const variable = new RegExp(`import (\\w+) from "[^"]*/${path.basename(file)}"`).exec(source.text)?.[1];
      if (variable === undefined) return [];
      return [...source.text.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))].map(([, name]) => name);
    }),
  );
  expect(classesOf(text).filter((name) => !used.has(name))).toEqual([]);
});

it("knows every class name that a component writes literally", () => {
  const unknown = sources
    .filter(({ file }) => file.endsWith(".tsx"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/[cC]lassName="([^"]*)"|[cC]lassName=\{`([^`]*)`/g)].flatMap(([, plain, template]) =>
        (plain ?? template ?? "")
          .replaceAll(/\S*\$\{[^{}]*\}\S*/g, " ")
          .split(/\s+/)
          // The classes of the graph's library are its own.
          .filter((name) => name !== "" && !shared.has(name) && !name.startsWith("react-flow"))
          .map((name) => `${file}: ${name}`),
      ),
    );
  expect(unknown).toEqual([]);
});

it("shares no class that nothing uses", () => {
  const text = sources.map((source) => source.text).join("\n");
  const isUsed = (name: string) =>
    new RegExp(`["\`\\s]${name}["\`\\s$]`).test(text) ||
    (name.startsWith("tone-") && text.includes("tone-${"));
  expect([...shared].filter((name) => !isUsed(name))).toEqual([]);
});

/** The local class names of a sheet, in order. */
function classesOf(css: string): string[] {
  const selectors = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/:global\([^)]*\)/g, "")
    .split("{")
    .map((part) => part.slice(Math.max(part.lastIndexOf("}"), part.lastIndexOf(";")) + 1));
  return [
    ...new Set(
      selectors.flatMap((text) => [...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name)),
    ),
  ].toSorted();
}

async function read(pattern: string) {
  const files = [];
  for await (const file of glob(pattern, { cwd: SRC })) files.push(file);
  return Promise.all(files.toSorted().map(readSource));
}

async function readSource(file: string) {
  return { file, text: await readFile(path.join(SRC, file), "utf8") };
}
