/**
 * Steps as submitted plans have them, for the tests of every package; the testkit exports them as well.
 *
 * What a step says besides its tool is one object of known fields: a value in its place does not compile.
 */
import type { z } from "zod";
import type { Step } from "../language/plan-language.ts";

export type BuiltStep = {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
};

export type StepFields = Partial<
  Omit<z.input<typeof Step>, "id" | "tool" | "args" | "dependsOn"> & { readonly dependsOn: readonly string[] }
>;

type WithValue = StepFields & { readonly value?: unknown };

/** A step whose output is `value`; default: its id. */
export function echo(id: string, { value = id, ...fields }: WithValue = {}): BuiltStep {
  return { id, tool: "flow.echo", args: { value }, ...fields };
}

/** A step that takes `ms` milliseconds, and whose output is `value`; default: its id. */
export function wait(id: string, ms: number, { value = id, ...fields }: WithValue = {}): BuiltStep {
  return { id, tool: "flow.wait", args: { ms, value }, ...fields };
}

/** A step with an effect: it writes `content` to a file that is named after it; default: its id. */
export function write(
  id: string,
  { content = id, ...fields }: StepFields & { readonly content?: string } = {},
): BuiltStep {
  return { id, tool: "files.write", args: { path: `${id}.txt`, content }, ...fields };
}
