export { FAULT_POINTS, kindOf, type PublishedKind } from "./fault-points.ts";
export { currentFaults } from "./faults.ts";
