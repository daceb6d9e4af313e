// Every class name in a component exists: a typo would only show in the layout.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { __unstable__loadDesignSystem as loadDesignSystem } from "tailwindcss";
import { expect, it } from "vitest";

const SRC = path.resolve(import.meta.dirname, "..");
/** Sheets that define classes. */
const SHEETS = "**/*.css";

const read = async (file: string) => ({ file, text: await readFile(path.join(SRC, file), "utf8") });
const readAll = async (pattern: string) =>
  Promise.all((await Array.fromAsync(glob(pattern, { cwd: SRC }))).map(read));

const sources = (await readAll("**/*.tsx")).filter(({ file }) => !file.includes(".test."));
const sheets = await readAll(SHEETS);
const own = new Set(
  sheets.flatMap(({ text }) =>
    [...text.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "").matchAll(/\.([a-zA-Z][\w-]*)/g)].map(
      ([, name = ""]) => name,
    ),
  ),
);
/** They only name an element for others to refer to. */
const NAMES = /^(?:group|peer)(?:\/\w+)?$/;
const utilities = await loadDesignSystem((await read("styles/tokens.css")).text + "@tailwind utilities;");

it("defines every class name that a component uses", () => {
  const written = sources.flatMap(({ file, text }) => classesIn(text).map((name) => ({ file, name })));
  const css = utilities.candidatesToCss(written.map(({ name }) => name));
  const unknown = written.filter(
    ({ name }, index) => css[index] === null && !own.has(name) && !NAMES.test(name),
  );
  expect(unknown).toEqual([]);
  expect(utilities.candidatesToCss(["text-misspelt"])).toEqual([null]);
});

it("defines no unused class", () => {
  const text = sources.map((source) => source.text).join("\n");
  const isUsed = (name: string) =>
    new RegExp(`["\`\\s]${name}["\`\\s$]`).test(text) ||
    (name.startsWith("tone-") && text.includes("tone-${"));
  // The classes of the graph's library are its own.
  const unused = [...own].filter((name) => !isUsed(name) && !name.startsWith("react-flow"));
  expect(unused).toEqual([]);
});

/** The names in `className="…"`, and in the strings of `className={…}`. */
function classesIn(source: string): string[] {
  const plain = [...source.matchAll(/[cC]lassName="([^"]*)"/g)].map(([, names = ""]) => names);
  const computed = [...source.matchAll(/[cC]lassName=\{((?:[^{}]|\$?\{[^{}]*\})*)\}/g)].flatMap(
    ([, code = ""]) =>
      [...code.matchAll(/"([^"]*)"|`([^`]*)`/g)].map(([, text, template]) =>
        (text ?? template ?? "").replaceAll(/\S*\$\{[^{}]*\}\S*/g, " "),
      ),
  );
  return [...plain, ...computed].flatMap((names) => names.split(/\s+/)).filter((name) => name !== "");
}
