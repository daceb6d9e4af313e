/** The limits of one plan. Each is a setting; reaching one is a refusal or an event, never silence. */
export type Limits = {
  readonly stepsMax: number;
  /** Steps of a draft by a model that run without an approval of the plan. */
  readonly unapprovedStepsMax: number;
  /** Of one step's arguments as JSON, before and after references are resolved. */
  readonly argsBytesMax: number;
  readonly attemptsMax: number;
  readonly replansMax: number;
  /** How far ahead a plan's start may be put off. */
  readonly startAheadMsMax: number;
  /** Steps of one plan that are dispatched and not yet settled. */
  readonly inFlightMax: number;
  /** Items of one step that runs for each of a list; those of a whole plan are at most as many as its steps. */
  readonly itemsMax: number;
  /** Items of one step that have begun and are not over. */
  readonly itemsAtOnceMax: number;
  readonly answerBytesMax: number;
  /** How often a draft may be interrupted by a crash or a failing model before the plan fails. */
  readonly draftsInterruptedMax: number;
  /** How often in a row a plan with results is paused for a model server that does not answer. */
  readonly modelPausesMax: number;
  /** How often a plan's results are looked at, before they are left unjudged. */
  readonly joinsMax: number;
  /** Waves of a plan that is planned wave after wave, the first included. */
  readonly wavesMax: number;
  /** How deep sub-plans may stand below the plan that was submitted. */
  readonly subPlanDepthMax: number;
  /** Drafts of one step that are written for a judge. */
  readonly reviewIterationsMax: number;
  /** Steps that stand in for one step, each for the one before. */
  readonly fallbacksMax: number;
  /** How deep lists and objects stand inside one another in an output, or in arguments with their references resolved. */
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

/** Outputs up to this size travel inside events; larger ones are artifacts. */
export const OUTPUT_INLINE_BYTES_MAX = 64 * 1024;

/** Of the arguments of one call, those whose origin an approval shows. */
export const ORIGINS_SHOWN_MAX = 40;
