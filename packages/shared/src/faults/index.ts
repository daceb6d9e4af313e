export { FAULT_POINTS, kindOf, PUBLISHED, type PublishedKind } from "./fault-points.ts";
export { currentFaults } from "./faults.ts";
