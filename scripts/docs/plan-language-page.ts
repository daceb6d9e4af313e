import { PlanDocument, Step } from "@planwright/plan";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

/** Renders the reference of the plan language. */
export function planLanguagePage(): string {
  return `# Plan language

A plan is a JSON object. Models write plans, and users can submit one as \`plan\` in the body of \`POST /v1/plans\`. Unknown fields
are rejected. To list all problems of a plan without storing anything, use \`POST /v1/plans/check\`.

${fieldsOf(PlanDocument)}

## A step

${fieldsOf(Step)}

## References

Arguments can refer to the outputs of other steps:

- \`{"$ref": "s1.output.rows[0].region"}\` is replaced by a value: \`s1.output\` is the output of \`s1\`, followed by keys and indexes.
- \`{{s1.output.title}}\` inside a string is replaced by text. Values that are not text are inserted as JSON.

Write keys that are not plain words in quotes: \`s1.output["unit price"]\`. A reference implies the dependency, so \`dependsOn\` is
only needed for steps whose output is not used. If the path of a reference does not exist when the step starts, the step fails.
Outputs larger than 64 KiB are stored as artifacts; references into them work in the same way.

## Corrected mistakes

Unambiguous mistakes are corrected, both in drafts by models and in submitted plans:

- names that differ in case, \`_\` or \`-\` (\`depends_on\`);
- the names \`dependencies\`, \`needs\`, \`step_id\`, \`action\`, \`tools\`, \`tool_name\`, \`parameters\`, \`arguments\`, \`input\`;
- \`dependsOn\` as text, and numbers as ids;
- \`docs_search\` for \`docs.search\`;
- \`"5"\` and \`"true"\` where the tool's schema expects a number or a boolean;
- arguments as JSON text;
- \`{"plan": {…}}\`, \`{"tasks": […]}\` and a bare list of steps.

If two fields mean the same, or a field is unknown, a submitted plan is rejected with the name of the right field. In drafts by
models, unknown fields are dropped, ids such as \`Step 1\` are made valid everywhere, and raw line breaks, trailing commas and
Python constants in the JSON are corrected. The planner logs its corrections (\`draft repaired\`). For submitted plans, they are in
the trace (\`plan.mended\`).

## The answer

\`answerFrom\` names the step whose output is the answer. If a submitted plan has no \`answerFrom\` and exactly one last step, the
output of that step is the answer. Otherwise, the reflector writes the answer from all results.
`;
}

function fieldsOf(schema: z.ZodType): string {
  const node = readSchema(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const rows = Object.entries(node.properties ?? {}).map(([name, field]) => [
    `\`${name}\`${node.required?.includes(name) ? "" : " (optional)"}`,
    schemaText(field, 1),
    typeof field === "boolean" ? "" : (readSchema(field).description ?? ""),
  ]);
  return tableOf(["field", "type", "description"], rows);
}
