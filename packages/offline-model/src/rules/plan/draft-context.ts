import type { DataSource, OfferedTool } from "../../prompt/plan-prompt.ts";
import type { Antecedent } from "../data/question.ts";
import type { SqlQuery } from "../sql/write-sql.ts";
import type { Table } from "../data/tables.ts";
import { type Role, toolFor } from "../tools/tool-roles.ts";
import type { Wishes } from "./read-wishes.ts";
import { createStepList, type StepList } from "./planned-step.ts";

export type Clause = { readonly text: string; readonly wishes: Wishes };

/** A step that found something out, and its topic. */
export type Finding = {
  readonly stepId: string;
  readonly clause: string;
  readonly label: string;
  /** Present for a query: the data for a chart. */
  readonly query?: SqlQuery;
};

/** The state that the rules share while they draft one plan. */
export type DraftContext = {
  readonly goal: string;
  readonly tools: readonly OfferedTool[];
  readonly tables: readonly Table[];
  readonly data: readonly DataSource[];
  readonly roles: Readonly<Record<Role, OfferedTool | null>>;
  readonly list: StepList;
  /** Some clause requests a text about the findings. */
  readonly wantsReport: boolean;
  readonly findings: Finding[];
  /** For the reasoning: omissions, and why. */
  readonly notes: Set<string>;
  /** Why a clause about tables was not understood: then none of the goal is answered, since the clause may qualify it. */
  readonly refusals: string[];
  /** The same for clauses that are not separate questions. */
  readonly loose: string[];
  /** The last question about data, which `its` can mean. */
  antecedent: Antecedent | null;
  /** The topic of the last search, which `their` can mean. */
  topic: readonly string[];
};

export function createContext(options: {
  goal: string;
  tools: readonly OfferedTool[];
  tables: readonly Table[];
  data: readonly DataSource[];
  firstNumber: number;
  wantsReport: boolean;
}): DraftContext {
  const tool = (role: Role) => toolFor(role, options.tools);
  return {
    goal: options.goal,
    tools: options.tools,
    tables: options.tables,
    data: options.data,
    roles: {
      query: tool("query"),
      search: tool("search"),
      fetch: tool("fetch"),
      calculate: tool("calculate"),
      chart: tool("chart"),
      save: tool("save"),
      write: tool("write"),
      echo: tool("echo"),
      wait: tool("wait"),
    },
    list: createStepList(options.firstNumber),
    wantsReport: options.wantsReport,
    findings: [],
    notes: new Set(),
    refusals: [],
    loose: [],
    antecedent: null,
    topic: [],
  };
}
