// docs/troubleshooting.md: the messages and codes that it quotes are those of the code.
import { PROBLEMS } from "@planwright/api";
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const page = readFileSync("docs/troubleshooting.md", "utf8");
const source = globSync(
  ["{packages,services}/*/src/**/*.{ts,tsx}", "scripts/{setup,publish}/*", "scripts/up.mjs"],
  {
    exclude: ["**/*.test.ts"],
  },
)
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** The cells of the page's tables, header included, by the text of their first column's header. */
const rows = [...page.matchAll(/^\| (.+) \|$/gm)].map(([, row = ""]) => row.split(" | "));
const firstCells = rows.map(([first = ""]) => first);

it("quotes only messages that the code has", () => {
  const messages = firstCells
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code))
    .filter((code) => code.includes(" ") && !code.startsWith("npx "));
  expect(messages.length).toBeGreaterThan(15);
  const parts = messages.flatMap((message) =>
    message.split(/…|[()]/).flatMap((part) => (part.trim().length > 3 ? [part.trim()] : [])),
  );
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

it("gives each HTTP status only to codes that have it", () => {
  const wrong = firstCells.flatMap((cell) => {
    const [, statuses] = /^((?:\d{3}(?: or )?)+) `/.exec(cell) ?? [];
    if (statuses === undefined) return [];
    const codes = [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code = ""]) => code);
    return codes.filter(
      (code) =>
        !(code in PROBLEMS) || !statuses.includes(String(PROBLEMS[code as keyof typeof PROBLEMS].status)),
    );
  });
  expect(wrong).toEqual([]);
});

it("explains every refusal that the system itself causes: those with a status of 429 or above", () => {
  const systems = Object.entries(PROBLEMS).filter(([, { status }]) => status === 429 || status >= 503);
  const missing = systems.map(([code]) => code).filter((code) => !page.includes(`\`${code}\``));
  expect(missing).toEqual([]);
});

it("explains only codes of failed steps that the code has", () => {
  const [, table = ""] = page.split("| code | cause | what to do |\n|---|---|---|\n");
  const codes = [...table.slice(0, table.indexOf("\n\n")).matchAll(/^\| (.+?) \|/gm)].flatMap(
    ([, cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code),
  );
  expect(codes.length).toBeGreaterThan(8);
  expect(codes.filter((code) => !source.includes(`"${code}"`))).toEqual([]);
});
