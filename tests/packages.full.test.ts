// The packages as they are published: what is in them, and whether they work in an empty project.
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { readFile } from "node:fs/promises";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, describe, expect, it } from "vitest";
import { emptyProject, packAll } from "./support/installed-packages.ts";

await using disposed = new AsyncDisposableStack();
const stack = disposed.move();
afterAll(() => stack.disposeAsync());
const { packed } = stack.use(await packAll());
const project = stack.use(await emptyProject(packed));

const TOOL = `
import { defineTool, PermanentError, type Tool, z } from "@planwright/tools-kit";

const tool: Tool = defineTool({
  name: "shop.price",
  description: 'Get the price of a product. Output: {"usd": 12}.',
  input: z.strictObject({ product: z.string() }),
  output: z.object({ usd: z.number() }),
  risk: "low",
  effect: "read",
  timeoutMs: 5_000,
  run: async ({ product }, { log, signal }) => {
    signal.throwIfAborted();
    log.info({ product }, "looked up");
    if (product !== "tent") throw new PermanentError(\`there is no \${product}\`, { code: "no_product" });
    return { usd: 12 };
  },
});
export default tool;
`;

/** Of 163,000 when this was written; with the types of the schemas it was 637,000. */
const CLIENT_TYPES_CHARS_MAX = 190_000;

describe.each(packed)("$name", ({ name, folder, files }) => {
  it("has a manifest and files that publint finds nothing wrong with", async () => {
    const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });

  it("contains the build and its documents, no source, test or map", () => {
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    const odd = files.filter((file) => /(?<!\.d)\.tsx?$|\.test\.|\.map$|node_modules\//.test(file));
    expect(odd).toEqual([]);
  });

  it("names its licence, and is published with its provenance", async () => {
    const manifest: unknown = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    expect(manifest).toMatchObject({
      name,
      license: "Apache-2.0",
      type: "module",
      engines: { node: ">=20" },
      publishConfig: { access: "public", provenance: true },
    });
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|"private"|devDependencies|"scripts"/);
  });
});

const libraries = packed.filter(({ name }) => name !== "planwright");
it.each(libraries)(
  "$name has types that every module resolution of today finds",
  async ({ name, tarball }) => {
    const analysis = await checkPackage(
      createPackageFromTarballData(new Uint8Array(await readFile(tarball))),
    );
    if (analysis.types === false) throw new Error(`${name} has no types`);
    // It is for ECMAScript modules only, and resolution as before \`exports\` is not supported.
    const wrong = analysis.problems.filter(
      (problem) =>
        problem.kind !== "CJSResolvesToESM" &&
        !("resolutionKind" in problem && problem.resolutionKind === "node10"),
    );
    expect(wrong).toEqual([]);
  },
);

it("has the licence notice of every library that is inside of the pages, in the package that holds them", async () => {
  const system = packed.find(({ name }) => name === "planwright");
  expect(system?.files).toContain("THIRD_PARTY_LICENSES.md");
  const notices = await readFile(`${system?.folder}/THIRD_PARTY_LICENSES.md`, "utf8");
  const dashboard = ["react", "react-dom", "scheduler", "@xyflow/react", "@dagrejs/dagre", "d3-zoom"];
  for (const library of [...dashboard, "vitepress", "@vue/runtime-core", "minisearch"]) {
    const [, notice = ""] = notices.split(new RegExp(`^## ${library} - `, "m"));
    expect(notice, library).toMatch(/^[\w.-]+ \((?:MIT|ISC)\)[\s\S]{0,400}Copyright/);
  }
});

it("has the dashboard and the docs site in the package of the system", () => {
  const system = packed.find(({ name }) => name === "planwright");
  for (const page of ["dashboard", "docs-site"])
    expect(system?.files).toContain(`dist/packages/${page}/dist/index.html`);
});

it("has a client whose types are plain, without those of the schemas", async () => {
  const client = packed.find(({ name }) => name === "@planwright/client");
  const types = await readFile(`${client?.folder}/dist/index.d.ts`, "utf8");
  expect(types).toContain("type PlanView = {");
  expect(types).not.toMatch(/\bzod\b|\$?Zod[A-Z]|\$brand/);
  expect(types).not.toMatch(/^import /m);
  expect(types.length).toBeLessThan(CLIENT_TYPES_CHARS_MAX);
});

it("compiles a tool under strict TypeScript", async () => {
  await project.write("tools/price.ts", TOOL);
  expect(await project.faults(["tools/price.ts"])).toBe("");
  await project.write("wrong.ts", TOOL.replace('effect: "read"', 'effect: "reads"'));
  expect(await project.faults(["wrong.ts"])).toContain('"reads"');
});

it("prints its help from an empty folder, on the Node that the user has", async () => {
  const { code, printed } = await project.planwright(["--help"]);
  expect(printed).toContain("Usage: planwright");
  expect(code).toBe(0);
  expect(await project.planwright(["start", "--help"])).toMatchObject({
    code: 0,
    printed: expect.stringContaining("planwright start [options]"),
  });
});

it("starts the whole system, which runs a plan with an own tool, children of the executor and the page", async () => {
  await project.write("tools/price.ts", TOOL);
  await using system = await project.start();
  const steps = [
    { id: "price", tool: "shop.price", args: { product: "tent" } },
    {
      id: "sum",
      tool: "code.run",
      args: { language: "typescript", code: "const n: number = 2; return n * 21" },
    },
    { id: "draw", tool: "chart.render", args: { spec: { mark: "point", data: { values: [{ a: 1 }] } } } },
    { id: "page", tool: "report.render", args: { title: "Prices", markdown: "A tent is dear." } },
    { id: "say", tool: "flow.echo", args: { value: "{{price.output.usd}} and {{sum.output.result}}" } },
  ];
  await project.write("plan.json", JSON.stringify({ steps, answerFrom: "say" }));
  const env = { PLANWRIGHT_URL: system.url };
  const ran = await project.planwright(["submit", "--plan", "plan.json", "--watch", "look it up"], env);
  expect(ran.printed).toContain("12 and 42");
  expect(ran.code).toBe(0);
  expect(await (await fetch(system.url)).text()).toContain('<script type="module"');
  expect(await system.stop()).toBe(0);
  expect(system.printed()).toContain("planwright stopped");
});

it("runs a plan in one process", async () => {
  await using system = await project.start(["--one-process", "--data", "other"]);
  await project.write(
    "one.json",
    JSON.stringify({ steps: [{ id: "a", tool: "math.evaluate", args: { expression: "6*7" } }] }),
  );
  const env = { PLANWRIGHT_URL: system.url };
  expect(await project.planwright(["submit", "--plan", "one.json", "--watch", "count"], env)).toMatchObject({
    code: 0,
    printed: expect.stringContaining("42"),
  });
});
