/** What a plan with a budget keeps of it. The rules are in budget-ledger.ts. */
import type { List, Map } from "immutable";
import type { OnExhausted } from "../../language/budget.ts";
import type { RunName } from "../../values/ids.ts";
import type { Need } from "./budget-prices.ts";

export type Limited = "tokens" | "usd" | "seconds" | "steps";

export type Amount = { readonly tokens: number; readonly nanoUsd: number };

/** A piece of work that the budget had too little for, and why. */
export type Lack = {
  readonly holder: string;
  readonly need: Need;
  /** It was given all that was left, and that was too little. */
  readonly given?: Amount;
};

/** What is set aside for one piece of work. */
export type Reserve = Amount & {
  /** It is all that was left, and less than the work was thought to need of this. */
  readonly short?: "tokens" | "usd";
  /** What it was thought to need, when that was more. */
  readonly need?: Need;
  /** Of a sub-plan: the steps that it may send, counted as sent until it says how many it has. */
  readonly steps?: number;
};

/** A step that is ready, and the tokens that it is thought to need; none when it calls no model. */
export type ReadyStep = RunName & { readonly need: Need };

export type BudgetState = {
  readonly limit: {
    readonly tokens?: number;
    readonly nanoUsd?: number;
    readonly seconds?: number;
    readonly steps?: number;
  };
  readonly onExhausted: OnExhausted;
  /** Undefined when it is not known: then each piece of work gets all the dollars there are, one after the other. */
  readonly nanoUsdPerToken?: Need;
  /** As the workers counted it. */
  readonly used: Amount;
  /** Not reported by any worker, and counted as used. */
  readonly forfeited: Amount;
  readonly reserved: Amount;
  readonly stepsSent: number;
  /** By the piece of work that holds them. */
  readonly reserves: Map<string, Reserve>;
  /** Steps that wait for their turn, in the order in which they became ready. */
  readonly plain: List<ReadyStep>;
  readonly metered: List<ReadyStep>;
  /** How often the allowance of a step, of drafts or of joins has turned out too small. */
  readonly growth: Map<string, number>;
  /** Which limit keeps the plan from sending anything more. */
  readonly exhausted?: Limited;
  /** What it was last too little for; of tokens and dollars. */
  readonly lack?: Lack;
  readonly isTimeUp?: true;
  /** The limits before any of them was raised. */
  readonly first: BudgetState["limit"];
  /** How often the plan has asked for more, and the open request. */
  readonly asks: number;
  readonly asking?: { readonly approvalId: string; readonly limit: Limited };
  /** The request for more was rejected. */
  readonly isRefused?: true;
  readonly deadline?: { readonly timer: string; readonly at: string };
};
