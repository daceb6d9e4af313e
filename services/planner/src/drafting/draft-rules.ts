/** What a planner is told only where the submission, the tools or the agents call for it. */
export type DraftRules = {
  /** Where users review what the planner is unsure of. */
  readonly doubt: string;
  /** Where steps are judged by what is expected of them. */
  readonly judged: string;
  /** Where there are agent types. */
  readonly agents: string;
  /** Before the names of the tools that change something. */
  readonly changing: string;
  /** Before the number of steps that is wanted; told only if there is one. */
  readonly sized: string;
};

const DOUBT =
  '"confidence", of each step and at the end of the whole plan, says how sure you are of it, from 0 (a guess) to 1 (certain). Users review what you are unsure of: be accurate, not optimistic.';
const CHANGING = "These tools change something:";
const SIZED = "The number of steps in your plan must be within <plan_size>:";

/** For plans as JSON. */
export const JSON_RULES: DraftRules = {
  doubt: DOUBT,
  judged:
    'Each step with "successCriteria" or "expectedOutput" is judged by them, and the plan is revised if the step misses them: write criteria that can be checked. A call that writes text for the reader may have "review": {"maxIterations": 3}: the text is rewritten, up to that many times, until a critic approves; otherwise null.',
  agents:
    '<agents> lists agent types with their purpose and the only tools their steps may use. "agent" of a call names the type that runs it, otherwise null.',
  changing: CHANGING,
  sized: SIZED,
};

/** For plans as lines. */
export const LINE_RULES: DraftRules = {
  doubt: DOUBT,
  judged:
    'A step that states what is expected of it, right after its arguments, is judged by that, and the plan is revised if the step misses it: expect "names a price". A step that writes text for the reader may add: review 3. The text is then rewritten, up to that many times, until a critic approves.',
  agents:
    "<agents> lists agent types with their purpose and the only tools their steps may use. To have one run a step, write by and its name right after the arguments.",
  changing: CHANGING,
  sized: SIZED,
};
