// The policy file that the documents show is one that a gateway reads, and does what they say.
import { PolicyFile, policyOf } from "@planwright/plan";
import { expect, it } from "vitest";
import { readDocument } from "./support/documents/read-documents.ts";
import { readFileSync } from "node:fs";

const { blocks } = readDocument("docs/policy.md", readFileSync("docs/policy.md", "utf8"));

it("is parsed as shown in docs/policy.md", () => {
  const [example] = blocks.filter(({ title }) => title === "policy.json");
  const file = PolicyFile.parse(JSON.parse(example?.code ?? ""));
  expect(policyOf(file, "acme")).toMatchObject({ approvers: ["acme/*"], maxBudget: { usd: 5 } });
  expect(policyOf(file, "acme").rules).toHaveLength(6);
  expect(policyOf(file, "other").rules).toHaveLength(5);
});

it("is described with every setting that there is", () => {
  const text = blocks.reduce(
    (rest, { code }) => rest.replace(code, ""),
    readFileSync("docs/policy.md", "utf8"),
  );
  const { $schema: _schema, ...settings } = PolicyFile.shape;
  const missing = Object.keys(settings).filter((name) => !text.includes(`\`${name}`));
  expect(missing).toEqual([]);
});
