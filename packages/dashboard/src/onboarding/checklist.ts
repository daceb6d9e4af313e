/** The checklist of a new installation, derived from the state of the system. */
import type { BuiltInTools, Caller, SourceInfo, ToolSpec } from "@planwright/client";

export type ChecklistItem = "model" | "tool" | "data" | "goal";

/** Undefined fields are unknown, such as after a failed request. */
export type Setup = {
  readonly demoModel: boolean | undefined;
  readonly tools: readonly Pick<ToolSpec, "name">[] | undefined;
  readonly sources: readonly Pick<SourceInfo, "origin">[] | undefined;
  /** How many plans there are. */
  readonly plans: number | undefined;
};

export type CheckedItem = { readonly item: ChecklistItem; readonly done: boolean };

/** The compiler compares it with the tools that an executor announces. */
const BUILT_IN: Readonly<Record<keyof BuiltInTools, true>> = {
  "agent.react": true,
  "chart.render": true,
  "code.run": true,
  "data.apply": true,
  "data.dryrun": true,
  "docs.search": true,
  "email.draft": true,
  "email.send": true,
  "files.list": true,
  "files.read": true,
  "files.write": true,
  "flow.echo": true,
  "flow.wait": true,
  "http.fetch": true,
  "http.send": true,
  "human.ask": true,
  "math.evaluate": true,
  "model.write": true,
  "plan.run": true,
  "report.render": true,
  "sql.query": true,
  "text.extract": true,
  "web.search": true,
};

/**
 * Returns the items that the user can do, in their order, and which are done.
 *
 * @param caller - Undefined until the gateway has answered: then there are no items.
 */
export function checklistOf(setup: Setup, caller: Caller | undefined): CheckedItem[] {
  const { demoModel, tools, sources, plans } = setup;
  if (caller?.calls.includes("submitPlan") !== true) return [];
  // Models and tools are set up where Planwright runs.
  const isAdmin = caller.role === "admin";
  const items: readonly (readonly [item: ChecklistItem, isOffered: boolean, done: boolean | undefined])[] = [
    ["model", isAdmin, demoModel === undefined ? undefined : !demoModel],
    ["tool", isAdmin, tools?.some(({ name }) => !Object.hasOwn(BUILT_IN, name))],
    ["data", caller.calls.includes("addSource"), sources?.some(({ origin }) => origin === "upload")],
    ["goal", true, plans === undefined ? undefined : plans > 0],
  ];
  return items.flatMap(([item, isOffered, done]) =>
    isOffered && done !== undefined ? [{ item, done }] : [],
  );
}
