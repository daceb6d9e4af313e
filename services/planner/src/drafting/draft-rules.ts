/** Texts that a planner's prompt includes only when the submission, the tools, the agents or earlier drafts require it. */
export type DraftRules = {
  /** Precedes the steps of earlier drafts. */
  readonly earlier: string;
  /** Precedes the reason for a revision. */
  readonly revision: string;
  /** Precedes the faults of the last draft. */
  readonly faults: string;
  /** Included where users review steps that the planner is unsure of. */
  readonly doubt: string;
  /** Included where steps are reviewed against their expected results. */
  readonly judged: string;
  /** Included where there are agent types. */
  readonly agents: string;
  /** Precedes the names of the tools that change something. */
  readonly changing: string;
  /** Precedes the required number of steps; included only if there is one. */
  readonly sized: string;
};

const DOUBT =
  '"confidence", of each step and at the end of the whole plan, is how sure you are of it, from 0 (a guess) to 1 (certain). Users review what you are unsure of: be accurate, not optimistic.';
const EARLIER =
  "The next block lists steps of earlier drafts. Refer to a succeeded step by its id, and do not plan it again. Do not repeat a failed step unchanged. A waiting or running step continues only if you repeat it unchanged or refer to it; the others are cancelled. Give new steps new ids.";
const REVISION = "The plan must change for this reason. Plan only what is missing.";
const FAULTS = "Your last draft has these faults. Write the whole plan again without them.";
const CHANGING = "These tools change something:";
const SIZED = "The number of steps in your plan must be within <plan_size>:";

/** For plans as JSON. */
export const JSON_RULES: DraftRules = {
  earlier: EARLIER,
  revision: REVISION,
  faults: FAULTS,
  doubt: DOUBT,
  judged:
    'Each step is reviewed by its "successCriteria" and "expectedOutput", and the plan is revised if the step misses them: write criteria that can be checked. A call that writes text for the reader may have "review": {"maxIterations": 3}: the text is rewritten up to that many times, until a reviewer approves it; otherwise null.',
  agents:
    '<agents> lists agent types with their purpose and the only tools their steps may use. "agent" of a call is the type that runs it, or null.',
  changing: CHANGING,
  sized: SIZED,
};

/** For plans as lines. */
export const LINE_RULES: DraftRules = {
  earlier: EARLIER,
  revision: REVISION,
  faults: FAULTS,
  doubt: DOUBT,
  judged:
    'A step that states what is expected of it, right after its arguments, is reviewed by that, and the plan is revised if the step misses it: expect "names a price". A step that writes text for the reader may add: review 3. The text is then rewritten up to that many times, until a reviewer approves it.',
  agents:
    "<agents> lists agent types with their purpose and the only tools their steps may use. To have one run a step, write by and its name right after the arguments.",
  changing: CHANGING,
  sized: SIZED,
};
