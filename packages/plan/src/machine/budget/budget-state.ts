/** The state of a plan's budget. The rules are in budget-ledger.ts. */
import type { List, Map } from "immutable";
import type { OnExhausted } from "../../language/budget.ts";
import type { RunName } from "../../values/ids.ts";
import type { Need } from "./budget-prices.ts";

export type Limited = "tokens" | "usd" | "seconds" | "steps";

export type Amount = { readonly tokens: number; readonly nanoUsd: number };

/** A piece of work for which too little of the budget was left, and why. */
export type Lack = {
  readonly holder: string;
  readonly need: Need;
  /** Set if it was given all that was left, and that was not enough. */
  readonly given?: Amount;
};

/** The amount reserved for one piece of work. */
export type Reserve = Amount & {
  /** Set if the reserve is all that was left, and less of this than the work was estimated to need. */
  readonly short?: "tokens" | "usd";
  /** The estimated need, if it was larger than the reserve. */
  readonly need?: Need;
  /** Of a sub-plan: the steps that it may send, counted as sent until it reports how many it has. */
  readonly steps?: number;
};

/** A step that is ready, with its estimated tokens; none if it calls no model. */
export type ReadyStep = RunName & { readonly need: Need };

export type BudgetState = {
  readonly limit: {
    readonly tokens?: number;
    readonly nanoUsd?: number;
    readonly seconds?: number;
    readonly steps?: number;
  };
  readonly onExhausted: OnExhausted;
  /** Undefined if unknown: each piece of work then reserves all remaining dollars, one after the other. */
  readonly nanoUsdPerToken?: Need;
  /** As reported by the workers. */
  readonly used: Amount;
  /** Not reported by any worker, and counted as used. */
  readonly forfeited: Amount;
  readonly reserved: Amount;
  readonly stepsSent: number;
  /** By the piece of work that holds them. */
  readonly reserves: Map<string, Reserve>;
  /** Steps that wait for budget, in the order in which they became ready. */
  readonly plain: List<ReadyStep>;
  readonly metered: List<ReadyStep>;
  /** How often the allowance of a step, of drafts or of syntheses has turned out too small. */
  readonly growth: Map<string, number>;
  /** The limit that prevents further work. */
  readonly exhausted?: Limited;
  /** The last piece of work for which too few tokens or dollars were left. */
  readonly lack?: Lack;
  readonly isTimeUp?: true;
  /** The initial limits, before any raise. */
  readonly first: BudgetState["limit"];
  /** How often the plan has asked for more, and its open request. */
  readonly asks: number;
  readonly asking?: { readonly approvalId: string; readonly limit: Limited };
  /** The request for more was rejected. */
  readonly isRefused?: true;
  readonly deadline?: { readonly timer: string; readonly at: string };
};
