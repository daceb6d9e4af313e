import { WIRE_REFERENCE } from "@planwright/plan";

/** What a planner is told only where it applies: part of every prompt's own words, so that none changes unnoticed. */
export type DraftRules = {
  /** Where a person wants to see what the planner doubts. */
  readonly doubt: string;
  /** Where steps are judged by what is expected of them. */
  readonly judged: string;
  /** Where steps may check others, or stand in for them. */
  readonly ties: string;
  /** Where there are agent types. */
  readonly agents: string;
  /** Where something has to be done for each of a list. */
  readonly lists: string;
  /** Before the names of the tools that change something. */
  readonly changing: string;
};

const DOUBT =
  'Say with each step, and at the end with the whole plan, how sure you are of it: "confidence", from 0 (a guess) to 1 (certain). A person looks at what you doubt, so say what is true and not what is welcome.';
const CHANGING = "These tools change something:";

/** For plans as JSON. */
export const JSON_RULES: DraftRules = {
  doubt: DOUBT,
  judged:
    'Each step with "successCriteria" or "expectedOutput" is judged by them, and one that misses them has the plan changed: write them where they can be checked. A step that writes text for the reader may have "review": {"maxIterations": 3}: it is then written again, at most so often in all, until a critic approves; else null.',
  ties: 'The flow of a step may also say which step it checks, {"verifies": "s1"}: nothing else uses s1 before, and s1 fails when the step fails or its output is {"ok": false, "issues": […]}. And which step, written after it, runs only if it fails and delivers in its place: {"fallback": "s3"}.',
  agents:
    '<agents> lists kinds of workers, each with what it is for and the only tools that its steps may use. A step that is the work of one of them names it: "agent": its name; otherwise "agent" is null.',
  lists: `What has to be done for each of a list is one step, whose flow names the list: {"when": null, "forEach": "s1.output.rows"}. It runs once for each entry, all at the same time. In its arguments {"${WIRE_REFERENCE}": "item"} is the entry and {{item.name}} a part of it inside a text; its output is the list of what the runs put out, in order.`,
  changing: CHANGING,
};

/** For plans as lines. */
export const LINE_RULES: DraftRules = {
  doubt: DOUBT,
  judged:
    'Each step that says right behind its arguments what is expected of it is judged by that, and one that misses it has the plan changed: expect "names a price". A step that writes text for the reader may end that with: review 3. It is then written again, at most so often in all, until a critic approves.',
  ties: 'A line may also end with: verifies s1 (nothing else uses s1 before, and s1 fails when the step fails or its output is {"ok": false, "issues": […]}), or with: else s3 (a step below, which runs only if this one fails and delivers in its place). Either stands before when.',
  agents:
    "<agents> lists kinds of workers, each with what it is for and the only tools that its steps may use. A step that is the work of one of them says so right behind its arguments: by and the name.",
  lists:
    "What has to be done for each of a list is one step. End its line with: for each s1.output.rows. It runs once for each entry, which is {{item}} or {{item.name}} in its arguments; its output is the list of what the runs put out, in order.",
  changing: CHANGING,
};
