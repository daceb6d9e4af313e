export { FAULT_POINTS, kindOf, kindsOf, PUBLISHED, type PublishedKind } from "./fault-points.ts";
export { currentFaults } from "./faults.ts";
