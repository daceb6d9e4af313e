/** Step 2 reads a file that is not there; the revision goes another way, through 2b and 2c. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const echo = (id: string, value: unknown) => ({ id, tool: "flow.echo", args: { value } });

export const script: ModelScript = {
  plan: [
    () =>
      planPieces({
        steps: [
          echo("1", "found"),
          { id: "2", tool: "files.read", args: { path: "missing.txt" }, dependsOn: ["1"] },
          echo("3", { $ref: "2.output.content" }),
          echo("4", { $ref: "3.output" }),
        ],
        answerFrom: "4",
      }),
    () =>
      planPieces({
        steps: [
          echo("2b", { $ref: "1.output" }),
          echo("2c", { $ref: "2b.output" }),
          echo("3", { $ref: "2c.output" }),
          echo("4", "{{3.output}} another way"),
        ],
        answerFrom: "4",
      }),
  ],
};
