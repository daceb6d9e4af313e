import { expect, it } from "vitest";
import { routeOf } from "./use-route.ts";

it.each([
  ["/", { page: "home" }],
  ["/plans", { page: "plans" }],
  ["/plans/", { page: "plans" }],
  ["/plans/p1", { page: "plan", planId: "p1" }],
  ["/plans/p1/", { page: "plan", planId: "p1" }],
  ["/plans/p1/steps", { page: "unknown", path: "/plans/p1/steps" }],
  ["/tools", { page: "system", part: "tools" }],
  ["/metrics", { page: "system", part: "metrics" }],
  ["/dead-letters/", { page: "system", part: "dead-letters" }],
  ["/compare", { page: "compare" }],
  ["/nowhere", { page: "unknown", path: "/nowhere" }],
])("%s leads to %j", (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
