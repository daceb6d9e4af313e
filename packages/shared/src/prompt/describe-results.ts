/** Steps and their results as the models that plan and judge are shown them. */
import { incompletenessOf, type Json, type StepEntry, type StepId, toWire } from "@planwright/plan";
import { shortenJson } from "./shorten-json.ts";

export type ResultDescription = {
  readonly id: StepId;
  /** Absent when the step has none. */
  readonly description?: string;
  readonly tool: string;
  readonly status: string;
  /** Of steps that have not ended: a revision may repeat them. */
  readonly args?: Json;
  readonly dependsOn?: readonly StepId[];
  readonly output?: Json;
  /** What the output lacks; absent when it is whole. */
  readonly incomplete?: string;
  /** Why the step failed, or could not run. */
  readonly error?: string;
  /** The step that has delivered in its place. */
  readonly deliveredBy?: StepId;
  /** What of the output is not shown; of a step that did not have to run, why. */
  readonly note?: string;
};

export type DescribedResults = {
  readonly results: readonly ResultDescription[];
  /** How many steps are left out because there are too many. */
  readonly left: number;
};

/** An output gets at least this much room, whatever the others take. */
const OUTPUT_CHARS_MIN = 200;
const RESULTS_MAX = 300;
const ERROR_CHARS_MAX = 1_000;
const ARGS_CHARS_MAX = 4_000;

/**
 * Describes steps in the order of their planning. Cancelled ones are left out: their results are not needed.
 * Of very many, those matter most whose result no other step has used, and those that failed.
 *
 * Outputs share `charsMax` characters: small ones are whole, and what they leave is divided among the
 * large ones, which are cut.
 *
 * @param loaded - The content of outputs that are kept as artifacts, by the artifact's name; of the others
 *   only the preview is shown.
 * @param resultsMax - How many steps are described; default 300.
 */
export function describeResults(
  entries: Iterable<StepEntry>,
  options: {
    readonly charsMax: number;
    readonly loaded?: ReadonlyMap<string, Json>;
    readonly resultsMax?: number;
  },
): DescribedResults {
  const { charsMax, loaded = new Map(), resultsMax = RESULTS_MAX } = options;
  const wanted = Array.from(entries).filter(({ state }) => state.status !== "cancelled");
  const shown = wanted
    .sort((left, right) => weightOf(right) - weightOf(left) || left.position - right.position)
    .slice(0, resultsMax)
    .sort((left, right) => left.position - right.position);
  const outputs = shown.map((entry) => outputOf(entry, loaded));
  const sizes = outputs.map((output) => (output === undefined ? 0 : JSON.stringify(output.value).length));
  const room = shareRoom(sizes, { room: charsMax, least: OUTPUT_CHARS_MIN });
  const results = shown.map((entry, index) =>
    describe(entry, outputs[index], room[index] ?? OUTPUT_CHARS_MIN),
  );
  return { results, left: wanted.length - shown.length };
}

/** How much a step matters for the results as a whole. */
function weightOf({ state, dependents }: StepEntry): number {
  if (state.status === "succeeded") return dependents.length === 0 ? 3 : 1;
  return state.status === "failed" ? 2 : 0;
}

type ShownOutput = { readonly value: Json; readonly note?: string };

function outputOf({ state }: StepEntry, loaded: ReadonlyMap<string, Json>): ShownOutput | undefined {
  if (state.status !== "succeeded") return undefined;
  const { output } = state;
  if ("value" in output) return output;
  const content = loaded.get(output.artifact.name);
  if (content !== undefined) return { value: content };
  const note = `the start of ${output.artifact.bytes} bytes, which are the artifact ${output.artifact.name}`;
  return { value: output.preview, note };
}

function describe(entry: StepEntry, output: ShownOutput | undefined, charsMax: number): ResultDescription {
  const { step, state, standIn } = entry;
  const { id, description, tool } = step;
  const described = description === "" ? {} : { description };
  const delivered = typeof standIn === "object" ? { deliveredBy: standIn.by } : {};
  const about = { id, ...described, tool, status: state.status, ...delivered };
  if (output !== undefined) {
    const short = shortenJson(output.value, charsMax);
    const note = output.note ?? short.note;
    const incomplete = incompletenessOf(entry);
    return {
      ...about,
      ...(incomplete === undefined ? {} : { incomplete }),
      output: short.value,
      ...(note === undefined ? {} : { note }),
    };
  }
  if (state.status === "failed") {
    return { ...about, error: `${state.error.code}: ${state.error.message}`.slice(0, ERROR_CHARS_MAX) };
  }
  if (state.status === "skipped") {
    // A step whose condition did not hold is no failure.
    return state.passedOver === true ? { ...about, note: state.reason } : { ...about, error: state.reason };
  }
  return { ...about, args: shortenJson(toWire(step.args), ARGS_CHARS_MAX).value, dependsOn: step.dependsOn };
}

/**
 * Divides room among texts: the smallest are served first, and what they leave is divided evenly among the larger ones.
 *
 * @param sizes - What each would take, in characters.
 * @param least - What each gets, whatever the others take.
 * @returns The room of each, in the order of `sizes`; together at most `room`, but for `least`.
 */
export function shareRoom(
  sizes: readonly number[],
  { room, least }: { readonly room: number; readonly least: number },
): readonly number[] {
  const shares = sizes.map(() => least);
  const smallestFirst = sizes
    .map((size, index) => ({ size, index }))
    .sort((one, other) => one.size - other.size);
  let left = room;
  for (const [place, { size, index }] of smallestFirst.entries()) {
    const given = Math.max(least, Math.min(size, Math.floor(left / (sizes.length - place))));
    shares[index] = given;
    left = Math.max(0, left - Math.min(size, given));
  }
  return shares;
}
