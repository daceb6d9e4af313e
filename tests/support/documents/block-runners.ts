/**
 * Which test runs or checks each code block of the documents. Every block has exactly one test, or a reason why it has none:
 * tests/docs-blocks.test.ts.
 */
import path from "node:path";
import { type CodeBlock, readDocuments } from "./read-documents.ts";

/** Pages whose blocks readers follow. History, and pages that are generated from the code, are checked otherwise. */
const PAGES = ["README.md", "docs/**/*.md", "packages/*/README.md", "examples/**/*.md"];
const OTHERWISE = ["docs/decisions/**", "docs/reference/**"];

export type DocumentBlock = CodeBlock & {
  readonly file: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
};

/**
 * Selects blocks: the file or a glob of files, the language (`*` for any, `-` for none), and the text that the code starts with,
 * which may be left out.
 */
type Selection = `${string} ${string}`;

/** By the test file that runs them. */
export const RUNNERS: Readonly<Record<string, readonly Selection[]>> = {
  "packages/docs-site/src/diagrams.test.ts": ["docs/** mermaid"],
  "tests/client.e2e.test.ts": ["packages/client/README.md ts", "docs/guides/client.md ts"],
  "tests/embed.full.test.ts": [
    "docs/guides/embed.md *",
    "docs/security.md sh",
    "packages/testkit/README.md ts",
  ],
  "tests/python-guide.full.test.ts": ["docs/guides/python.md *"],
  "tests/start-command.slow.e2e.test.ts": ["README.md - npm start", "docs/tutorial.md - npm start"],
  "tests/tutorial.slow.e2e.test.ts": [
    "docs/tutorial.md console",
    "docs/tutorial.md ts",
    "docs/tutorial.md json",
  ],
  "tests/docs-models.slow.e2e.test.ts": [
    "docs/first-model.md sh",
    "docs/guides/local-models.md sh # OpenAI",
    "docs/guides/local-models.md sh # llama.cpp",
  ],
  "tests/docs-commands.slow.e2e.test.ts": [
    "README.md - npx planwright",
    "docs/introduction.md sh",
    "docs/audit.md sh",
    "docs/audit.md - 1204 entries",
    "docs/backup.md sh",
    "docs/cli.md -",
    "docs/cluster.md sh NATS_REPLICAS",
    "docs/cluster.md - NATS_REPLICAS",
    "docs/demo-model.md -",
    "docs/effects-and-approvals.md -",
    "docs/guides/add-a-tool.md sh",
    "docs/guides/add-an-agent-type.md *",
    'docs/guides/connect-mcp.md json {\n  "mcpServers"',
    "docs/guides/connect-mcp.md sh echo",
    "docs/keys-and-roles.md *",
    "docs/metrics.md -",
    "docs/rerun-and-history.md -",
    "docs/sharing.md sh",
    "docs/traces.md - curl",
    "docs/troubleshooting.md sh",
    "packages/cli/README.md sh",
  ],
  "tests/docs-plans.test.ts": [
    'docs/agents.md json { "id"',
    "docs/budgets.md json",
    "docs/code.md json",
    "docs/controls.md json",
    "docs/effects-and-approvals.md json",
    "docs/email.md json",
    "docs/reports.md json",
    'docs/secrets.md json {"id"',
    "docs/steps.md json",
    "docs/strategies/** json",
    "docs/sub-plans.md json",
  ],
  "tests/docs-settings.test.ts": [
    'docs/agents.md json {\n  "agents"',
    "docs/alerts.md yaml",
    "docs/audit.md json",
    "docs/data.md json",
    'docs/guides/connect-mcp.md json { "mcpServers"',
    "docs/guides/local-models.md sh PLANNER_FALLBACKS",
    "docs/guides/scale-workers.md sh",
    "docs/identity-provider.md *",
    "docs/kubernetes.md yaml",
    "docs/mcp.md json",
    "docs/policy.md json",
    "docs/redaction.md *",
    "docs/security.md -",
    'docs/secrets.md json {\n  "secrets"',
    "docs/traces.md - TRACE_URL",
    "docs/web-search.md json",
  ],
  "tests/docs-deployments.test.ts": [
    "docs/cluster.md sh docker",
    "docs/compose.md -",
    "docs/kubernetes.md sh",
    "docs/operations.md sh",
    "docs/retention.md -",
    "docs/traces.md - docker",
  ],
  "tests/docs-code.test.ts": [
    "docs/own-tools.md ts",
    "docs/prompts.md ts",
    "packages/tools-kit/README.md ts",
  ],
};

export type Excuse = { readonly selection: Selection; readonly reason: string };

/** Blocks that no test runs, each with the reason. */
export const EXCUSES: readonly Excuse[] = [
  {
    selection: "docs/evaluation.md - example ",
    reason: "output whose numbers differ on every machine; scripts/eval.test.ts checks its columns",
  },
  { selection: "docs/guides/connect-mcp.md sh claude", reason: "a command of another company's program" },
  { selection: "docs/mcp.md sh claude", reason: "a command of another company's program" },
  {
    selection: "docs/learning.md -",
    reason: "part of a prompt, shortened; the planner's prompt tests check its form",
  },
  { selection: "docs/web-search.md yaml", reason: "a setting of SearXNG" },
];

/** The blocks of all pages, in order. */
export function allBlocks(): DocumentBlock[] {
  return readDocuments()
    .filter(({ file }) => isOneOf(PAGES, file) && !isOneOf(OTHERWISE, file))
    .flatMap(({ file, text, blocks }) =>
      blocks.map((block) => ({ ...block, file, line: text.slice(0, block.offset).split("\n").length })),
    );
}

/** @returns The blocks that a test runs, in the order of the pages. @param test - Its file, such as `tests/docs-plans.test.ts`. */
export function blocksRunBy(test: string): DocumentBlock[] {
  const selections = RUNNERS[test] ?? [];
  return allBlocks().filter((block) => selections.some((selection) => isSelected(selection, block)));
}

/** Where a block is, for the name of its test: `docs/steps.md:9`. */
export function placeOf({ file, line }: DocumentBlock): string {
  return `${file}:${line}`;
}

export function isSelected(selection: Selection, block: DocumentBlock): boolean {
  const [, pattern = "", language = "", start = ""] = /^(\S+) (\S+) ?([\s\S]*)$/.exec(selection) ?? [];
  if (!isOneOf([pattern], block.file)) return false;
  if (language !== "*" && language !== (block.language || "-")) return false;
  return block.code.replaceAll(/^ {3}/gm, "").startsWith(start);
}

function isOneOf(patterns: readonly string[], file: string): boolean {
  return patterns.some((pattern) => path.matchesGlob(file, pattern));
}
