/** Describes steps and their results for the models that plan and review. */
import { incompletenessOf, type Json, type StepEntry, type StepId, toWire } from "@planwright/plan";
import { shortenJson } from "./shorten-json.ts";

export type ResultDescription = {
  readonly id: StepId;
  /** Absent when the step has none. */
  readonly description?: string;
  readonly tool: string;
  readonly status: string;
  /** Only of unfinished steps, which a revision may repeat. */
  readonly args?: Json;
  readonly dependsOn?: readonly StepId[];
  readonly output?: Json;
  /** What is missing in the output; absent when it is complete. */
  readonly incomplete?: string;
  /** Why the step failed, or could not run. */
  readonly error?: string;
  /** The fallback step that delivered for it. */
  readonly deliveredBy?: StepId;
  /** The part of the output that is not shown; for a step that did not have to run, the reason. */
  readonly note?: string;
};

export type DescribedResults = {
  readonly results: readonly ResultDescription[];
  /** Number of steps omitted because there are too many. */
  readonly left: number;
};

/** The minimum space of each output, however large the others are. */
const OUTPUT_CHARS_MIN = 200;
const RESULTS_MAX = 300;
const ERROR_CHARS_MAX = 1_000;
const ARGS_CHARS_MAX = 4_000;

/**
 * Describes steps in the order of planning. Cancelled steps are omitted, since their results are not needed.
 * If there are too many steps, those whose result no other step has used, and those that failed, come first.
 *
 * Outputs share `charsMax` characters: small ones are shown completely, and the rest is divided among the
 * large ones, which are shortened.
 *
 * @param loaded - The content of outputs kept as artifacts, by the artifact's name; of other artifacts
 *   only the preview is shown.
 * @param resultsMax - Maximum number of described steps; default 300.
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

/** How important a step is for the results as a whole. */
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
    // A step whose condition is false has not failed.
    return state.passedOver === true ? { ...about, note: state.reason } : { ...about, error: state.reason };
  }
  return { ...about, args: shortenJson(toWire(step.args), ARGS_CHARS_MAX).value, dependsOn: step.dependsOn };
}

/**
 * Divides space among texts: the smallest come first, and the rest is divided evenly among the larger ones.
 *
 * @param sizes - The length of each text, in characters.
 * @param least - The minimum for each, however large the others are.
 * @returns The space of each, in the order of `sizes`; at most `room` in total unless `least` requires more.
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
