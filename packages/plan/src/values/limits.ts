/** The limits of one plan. Each is a setting; reaching one always produces a refusal or an event. */
export type Limits = {
  readonly stepsMax: number;
  /** Steps of a model's draft that can run without an approval of the plan. */
  readonly unapprovedStepsMax: number;
  /** Size of one step's arguments as JSON, before and after references are resolved. */
  readonly argsBytesMax: number;
  readonly attemptsMax: number;
  readonly replansMax: number;
  /** How far in the future a plan's start can be. */
  readonly startAheadMsMax: number;
  /** Steps of one plan that are dispatched and not yet settled. */
  readonly inFlightMax: number;
  /** Items of a step that runs for each item of a list; a whole plan can have as many as its maximum of steps. */
  readonly itemsMax: number;
  /** Items of one step that are running simultaneously. */
  readonly itemsAtOnceMax: number;
  readonly answerBytesMax: number;
  /** How often a draft can be interrupted by a crash or a failing model before the plan fails. */
  readonly draftsInterruptedMax: number;
  /** How often in a row a plan with results is paused because a model server does not respond. */
  readonly modelPausesMax: number;
  /** How often a plan's results are reviewed, before they are left unjudged. */
  readonly joinsMax: number;
  /** Waves of a plan that is planned wave by wave, including the first. */
  readonly wavesMax: number;
  /** Maximum nesting depth of sub-plans below the submitted plan. */
  readonly subPlanDepthMax: number;
  /** Drafts of one step that are written for its reviews. */
  readonly reviewIterationsMax: number;
  /** Length of a step's chain of fallbacks. */
  readonly fallbacksMax: number;
  /** Nesting depth of lists and objects in an output, or in resolved arguments. */
  readonly levelsMax: number;
};

export const LIMITS: Limits = {
  stepsMax: 10_000,
  unapprovedStepsMax: 100,
  argsBytesMax: 256 * 1024,
  attemptsMax: 5,
  replansMax: 3,
  startAheadMsMax: 366 * 86_400_000,
  inFlightMax: 1_024,
  itemsMax: 1_000,
  itemsAtOnceMax: 50,
  answerBytesMax: 256 * 1024,
  draftsInterruptedMax: 5,
  modelPausesMax: 6,
  joinsMax: 30,
  wavesMax: 10,
  subPlanDepthMax: 3,
  reviewIterationsMax: 5,
  fallbacksMax: 5,
  levelsMax: 500,
};

/** Outputs up to this size are stored inside events; larger ones are artifacts. */
export const OUTPUT_INLINE_BYTES_MAX = 64 * 1024;

/** Maximum number of a call's arguments whose origin an approval shows. */
export const ORIGINS_SHOWN_MAX = 40;
