// Cancelling: a plan stops and then ends, whatever it is doing.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  draftStarted,
  failed,
  faltered,
  kindsOf,
  planEnded,
  planned,
  revisionRequested,
  sealed,
  skipped,
  started,
  step,
  submitted,
  succeeded,
  timerFired,
  WRITE,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { owed } from "../decide/owed.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { accepts, evolve } from "./evolve.ts";
import { LIMITS } from "../values/limits.ts";
import { viewOf } from "../view/plan-view.ts";

const two = submitted([step("a"), step("b", ["a"])]);
const drafted = [
  submitted(),
  draftStarted(),
  planned(step("a")),
  planned(step("b", ["a"]), { index: 1 }),
  sealed(1),
];
const wide = submitted(Array.from({ length: LIMITS.inFlightMax + 1 }, (_, index) => step(`s${index}`)));

const phases: [string, PlanEvent[], string[]][] = [
  ["its draft is asked for", [submitted()], ["stop", "plan.ended"]],
  ["its draft is written", [submitted(), draftStarted(), planned(step("a"))], ["stop", "plan.ended"]],
  [
    "its draft holds steps back",
    [submitted(), draftStarted(), planned(step("a"), { grant: WRITE })],
    ["stop", "plan.ended"],
  ],
  [
    "its draft waits for its timer",
    [submitted(), draftStarted(), abandoned(1, { cause: "model_failed" })],
    ["stop", "plan.ended"],
  ],
  ["its steps run", [two, started("a")], ["stop", "plan.ended"]],
  ["steps wait for room", [wide], ["stop", "plan.ended"]],
  ["a step waits for its next attempt", [two, faltered("a")], ["plan.ended"]],
  ["steps are to be skipped", [two, failed("a")], ["plan.ended"]],
  ["its results are judged", [...drafted, failed("a"), skipped(["b"], "a")], ["stop", "plan.ended"]],
  [
    "its revision is asked for",
    [...drafted, failed("a"), skipped(["b"], "a"), revisionRequested(1)],
    ["stop", "plan.ended"],
  ],
];

describe("a plan that is cancelled while", () => {
  it.each(phases)("%s stops, and ends", (_name, events, commands) => {
    const plan = after(...events, cancelRequested());
    expect(kindsOf(plan)).toEqual(commands);
    expect(kindsOf(plan, owed(plan))).toEqual(["plan.ended"]);
    expect(viewOf(plan, 0)).toMatchObject({ status: "cancelled", reason: "not needed" });
    expect(viewOf(plan, 0)).not.toHaveProperty("outcome");
    expect(plan).toMatchObject({ inFlight: 0, total: plan.done });
    const ended = andAfter(plan, planEnded("cancelled"));
    expect(viewOf(ended, 0)).toMatchObject({ status: "cancelled", outcome: "cancelled" });
    expect(decideNext(ended)).toEqual([]);
    expect(decide(ended)).toEqual([]);
  });

  it.each(phases)("%s ignores all events but its end", (_name, events) => {
    const plan = after(...events, cancelRequested());
    const late = [
      succeeded("a"),
      failed("a"),
      started("a"),
      succeeded("a", 1, 2),
      timerFired("retry-a-0-2"),
      timerFired("draft-2"),
      draftStarted(1),
      draftStarted(2),
      planned(step("z")),
      sealed(),
      abandoned(),
      skipped(["b"], "a"),
      answerGiven(1),
      answerGiven(undefined),
      revisionRequested(1),
      cancelRequested("again"),
    ];
    for (const event of late) expect(accepts(plan, event)).toBe(false);
  });
});

describe("a cancelled plan", () => {
  it("keeps its results, and the answer that it had", () => {
    const events = [
      submitted([step("a"), step("b")]),
      succeeded("a", 7),
      succeeded("b"),
      revisionRequested(1),
    ];
    const view = viewOf(after(...events, cancelRequested(), planEnded("cancelled")), 0);
    expect(view.steps[0]).toMatchObject({ status: "succeeded", output: { value: 7 } });
    expect(view.answer).toMatchObject({ text: "so far" });
  });

  it("states for each unfinished step why it did not end", () => {
    const plan = after(two, cancelRequested("too slow"));
    expect(viewOf(plan, 0).steps.map(({ status, reason }) => [status, reason])).toEqual([
      ["cancelled", "the plan was cancelled: too slow"],
      ["cancelled", "the plan was cancelled: too slow"],
    ]);
  });
});

describe("cancelling", () => {
  it("has no effect once the end is decided", () => {
    const answering = after(submitted([step("a")]), succeeded("a"));
    expect(evolve(answering, cancelRequested())).toBe(answering);
    const judged = after(two, failed("a"), skipped(["b"], "a"), answerGiven(1));
    expect(evolve(judged, cancelRequested())).toBe(judged);
  });
});
