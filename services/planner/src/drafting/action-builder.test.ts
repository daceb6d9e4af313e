import { echo } from "@planwright/plan/testing";
import { expect, it } from "vitest";
import { ActionBuilder } from "./action-builder.ts";
import { buildWhole, earlier, ECHO_ALONE } from "./testing/echo-steps.ts";

const [S1, S2] = [earlier(echo("s1")), earlier(echo("s2"))];
const BASIS = {
  tools: ECHO_ALONE,
  draft: 2,
  earlier: [S1, S2],
  expansion: { path: [S1], width: 2, tried: [] },
};

function build(proposed: readonly unknown[]) {
  return buildWhole((onPlanned) => new ActionBuilder(BASIS, onPlanned), proposed);
}

it("makes each action follow the last one of the path, under a new id", () => {
  const { planned } = build([echo("s1", { value: { $ref: "s1.output" } }), echo("s2", { value: "x" })]);
  expect(planned).toMatchObject([
    { index: 0, step: { id: "s1-d2", args: { value: { $ref: "s1.output" } }, dependsOn: ["s1"] } },
    { index: 1, step: { id: "s2-d2", dependsOn: ["s1"] } },
  ]);
});

it("retries an action that was tried elsewhere, since here it is a different action", () => {
  expect(build([echo("s3", { value: "s2" })]).planned.map(({ step }) => step.id)).toEqual(["s3"]);
});

it("tries a repeated proposal once, and no more than requested", () => {
  const proposed = [
    echo("a", { value: 1 }),
    echo("b", { value: 1 }),
    echo("c", { value: 2 }),
    echo("d", { value: 3 }),
  ];
  expect(build(proposed).planned.map(({ step }) => step.id)).toEqual(["a", "c"]);
});

it("refuses an action that depends on another of its round or on one of another branch, and plans nothing after it", () => {
  expect(
    build([echo("a", { value: 1 }), echo("b", { value: { $ref: "a.output" } }), echo("c", { value: 3 })]),
  ).toMatchObject({
    planned: [{ step: { id: "a" } }],
    codes: ["dangling_reference"],
  });
  expect(build([echo("a", { value: { $ref: "s2.output" } })]).codes).toEqual(["dangling_reference"]);
});
