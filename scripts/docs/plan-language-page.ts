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

## What is read as meant

Slips that can mean one thing only are mended, in a model's draft and in a submitted plan: names that differ in case, \`_\` or \`-\` (\`depends_on\`),
\`dependencies\`, \`needs\`, \`step_id\`, \`action\`, \`tools\`, \`tool_name\`, \`parameters\`, \`arguments\`, \`input\`; \`dependsOn\` as text; numbers as ids;
\`docs_search\` for \`docs.search\`; \`"5"\` and \`"true"\` where the tool's schema wants a number or true; arguments as JSON text; \`{"plan": {…}}\`,
\`{"tasks": […]}\` and a bare list of steps. Where two fields say the same, or a field is unknown, a submitted plan is refused with the name of the
right field; in a model's draft the unknown field is dropped, ids such as \`Step 1\` are made valid everywhere, and raw line breaks, trailing commas and Python's constants
in its JSON are mended. The planner logs what it mended (\`draft mended\`); of a submitted plan it is in the trace (\`plan.mended\`).

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
