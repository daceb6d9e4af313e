import { expect, it } from "vitest";
import { processContext } from "../command-context.ts";
import { createProgram } from "../create-program.ts";
import { withJsonFields } from "./json-words.ts";

const program = createProgram(processContext({}));

it.each([
  ["list --json", "list --json="],
  ["list --json goal,status", "list --json=goal,status"],
  ["list --json nonsense", "list --json=nonsense"],
  ["--json goal list", "--json=goal list"],
  ["--json tools", "--json= tools"],
  ["show --json ID", "show --json= ID"],
  ["show --json status ID", "show --json=status ID"],
  ["show ID --json answer,goal", "show ID --json=answer,goal"],
  ["show ID --json=goal", "show ID --json=goal"],
  ["keys --json create ci", "keys --json= create ci"],
  ["keys --json id,role", "keys --json=id,role"],
  ["rerun ID --goal --json", "rerun ID --goal --json"],
  ["submit --json fix it", "submit --json= fix it"],
  ["submit -- --json planId", "submit -- --json planId"],
  ["approve ID --happened --json", "approve ID --happened --json="],
])("reads %s as %s", (line, words) => {
  expect(withJsonFields(program, line.split(" "))).toEqual(words.split(" "));
});
