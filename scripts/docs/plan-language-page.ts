import { PlanDocument, Step } from "@planwright/plan";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

/** What a plan may say: the shape of what models write and people submit. */
export function planLanguagePage(): string {
  return `# Plan language

A plan is JSON. Models write it, and people can submit it as \`plan\` in the body of \`POST /v1/plans\`. Unknown fields are
refused; \`POST /v1/plans/check\` lists every fault of a plan without storing anything.

${fieldsOf(PlanDocument)}

## A step

${fieldsOf(Step)}

## References

Arguments refer to what other steps gave:

- \`{"$ref": "s1.output.rows[0].region"}\` stands for a value: the output of \`s1\`, then keys and indexes,
- \`{{s1.output.title}}\` inside a string stands for its text; what is no text is inserted as JSON.

A key that is no plain word is written in quotes: \`s1.output["unit price"]\`. A reference implies the dependency, so
\`dependsOn\` is only for steps whose result is not used. A reference whose path leads nowhere when the time comes fails its
step. Outputs above 64 KiB are artifacts; references into them work all the same.

## The answer

\`answerFrom\` names the step whose output is the answer. A submitted plan without it is answered by its only last step,
if there is exactly one; otherwise the reflector writes the answer from all results.
`;
}

function fieldsOf(schema: z.ZodType): string {
  const node = readSchema(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const rows = Object.entries(node.properties ?? {}).map(([name, field]) => [
    `\`${name}\`${node.required?.includes(name) ? "" : " (optional)"}`,
    schemaText(field, 1),
    typeof field === "boolean" ? "" : (readSchema(field).description ?? ""),
  ]);
  return tableOf(["field", "type", ""], rows);
}
