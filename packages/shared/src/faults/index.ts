export { FAULT_POINTS, kindOf, kindsOf, PUBLISHED, type PublishedKind } from "./fault-points.ts";
export { faultRules } from "./fault-rules.ts";
export { armFaults, currentFaults } from "./faults.ts";
