// What users see with an approval: the choices, the reviews of the draft, and its planner's confidence.
import { expect, it } from "vitest";
import { after, draftStarted, planned, planReviewed, sealed, step, submitted } from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import type { KnownPlan } from "../plan-state.ts";

function asked(plan: KnownPlan) {
  const [question] = decide(plan).flatMap((command) =>
    command.kind === "record" && command.event.type === "approval.requested" ? [command.event.data] : [],
  );
  return question;
}

it("shows the choices of a question if its step names some", () => {
  const ask = (args: object) => asked(after(submitted([step("q", [], { tool: "human.ask", args })])));
  expect(ask({ question: "Which?", choices: ["north", "south"] })).toMatchObject({
    kind: "question",
    question: "Which?",
    details: { choices: ["north", "south"] },
  });
  expect(ask({ question: "Which?" })).not.toHaveProperty("details");
});

it("shows the confidence of the planner in a step", () => {
  const unsure = step("a", [], { confidence: 0.2 });
  expect(asked(after(submitted([unsure], { approval: { confidenceBelow: 0.5 } })))).toMatchObject({
    kind: "confidence",
    question: "May flow.echo run with these arguments? Its planner is 0.2 sure of it.",
    details: { confidence: 0.2 },
  });
});

it.each([
  [{ score: 0.9 }, { score: 0.9, verdict: "accepted" }],
  [{ verdict: "unjudged", cause: "unusable", message: "prose" }, { verdict: "unjudged" }],
])("shows the review of the draft: %j", (verdict, told) => {
  const plan = after(
    submitted(undefined, { approval: { plan: true }, review: { plan: true } }),
    draftStarted(),
    planned(step("a")),
    sealed(1, { steps: 1 }),
    planReviewed(verdict),
  );
  expect(asked(plan)).toMatchObject({
    kind: "plan",
    question: "May this plan of 1 step run? None of them changes anything.",
    details: { draft: 1, steps: 1, changing: 0, reviews: [{ draft: 1, ...told }] },
  });
});
