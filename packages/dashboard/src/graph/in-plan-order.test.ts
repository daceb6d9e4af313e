import { describe, expect, it } from "vitest";
import { inPlanOrder } from "./in-plan-order.ts";

const at = (id: string, x: number, y: number) => [id, { x, y }] as const;

describe("a layout", () => {
  it("is mirrored when its layers run against the plan's order", () => {
    const positions = [at("a", 0, 200), at("b", 0, 100), at("c", 0, 0), at("join", 300, 130)];
    expect(inPlanOrder(positions, "LR")).toEqual([
      at("a", 0, 0),
      at("b", 0, 100),
      at("c", 0, 200),
      at("join", 300, 70),
    ]);
  });

  it("stays unchanged when it follows the plan, or has only single nodes", () => {
    for (const positions of [[at("a", 0, 0), at("b", 0, 100)], [at("a", 50, 0), at("b", 0, 100)], []]) {
      expect(inPlanOrder(positions, "LR")).toEqual(positions);
    }
  });

  it("is mirrored from left to right when it runs from top to bottom", () => {
    expect(inPlanOrder([at("a", 100, 0), at("b", 0, 0)], "TB")).toEqual([at("a", 0, 0), at("b", 100, 0)]);
  });
});
