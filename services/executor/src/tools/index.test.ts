import { ToolSpec } from "@planwright/plan";
import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { createDocsIndex } from "../docs/docs-search.ts";
import type { MailSender } from "../mail/smtp-sender.ts";
import type { SearchProvider } from "../web-search/search-provider.ts";
import { createToolbox } from "./create-toolbox.ts";
import { CONFIGURED_TOOLS, createTools } from "./index.ts";

const nobody: SearchProvider = { name: "nobody", search: async () => [] };
const docs = createDocsIndex({ folder: "none", now: () => 0 });
const from = { name: "", address: "plans@example.org" };
const sender: MailSender = { send: async () => ({ accepted: [], rejected: [], response: "" }) };
const all = createTools({ docs, httpFetchAllow: [], webSearch: nobody, mail: { from, sender } });
afterAll(() => all[Symbol.dispose]());
const specs = createToolbox(all.tools).specs();

it("includes every tool that clients rely on, with its risk and effect", () => {
  expect(Object.fromEntries(specs.map(({ name, risk, effect }) => [name, `${risk} ${effect}`]))).toEqual({
    "flow.echo": "low read",
    "flow.wait": "low read",
    "model.write": "low read",
    "agent.react": "medium idempotent",
    "docs.search": "low read",
    "web.search": "low read",
    "http.fetch": "medium read",
    "text.extract": "medium read",
    "http.send": "high once",
    "email.draft": "low idempotent",
    "email.send": "high once",
    "sql.query": "low read",
    "math.evaluate": "low read",
    "code.run": "low read",
    "data.dryrun": "low read",
    "data.apply": "high once",
    "files.write": "medium idempotent",
    "files.read": "low read",
    "files.list": "low read",
    "chart.render": "low idempotent",
    "report.render": "low idempotent",
  });
});

it("documents all tools on one page", () => {
  const page = readFileSync(new URL("../../../../docs/tools.md", import.meta.url), "utf8");
  const rows = page.matchAll(
    /^\| `([\w.]+)` \|.*\| (low|medium|high) \| (read|idempotent|once) \|[^|]*\|$/gm,
  );
  const listed = [...rows].map(([, name, risk, effect]) => `${name} ${risk} ${effect}`);
  expect(listed.sort()).toEqual(specs.map(({ name, risk, effect }) => `${name} ${risk} ${effect}`).sort());
});

it("marks the output of every tool that passes on untrusted content", () => {
  const trusted = specs.filter(({ untrusted }) => !untrusted).map(({ name }) => name);
  expect(trusted.sort()).toEqual([
    "chart.render",
    "data.apply",
    "files.write",
    "math.evaluate",
    "report.render",
  ]);
});

it.each(specs)("$name can be announced, and describes its output to planners", (spec) => {
  expect(ToolSpec.parse(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
  expect(spec.description).toMatch(/Output: \{"?\w+|The output is the value itself/);
  expect(spec.input).toMatchObject({ type: "object", additionalProperties: false });
});

it("refuses to start with an empty allow-list", () => {
  expect(() => createTools({ docs, httpFetchAllow: ["localhost"], mail: { from } })).toThrow(
    /wanted host:port/,
  );
});

it("includes the tools that need configuration only when they are configured", () => {
  using few = createTools({ docs, httpFetchAllow: [], mail: { from } });
  const names = createToolbox(few.tools).specs();
  const missing = specs.filter(({ name }) => !names.some((spec) => spec.name === name));
  expect(missing.map(({ name }) => name)).toEqual(CONFIGURED_TOOLS);
});
