export {
  FAULT_POINTS,
  type FaultPoint,
  kindOf,
  PUBLISHED,
  type PublishedKind,
  TAKEN,
} from "./fault-points.ts";
export { type FaultRule, faultRules } from "./fault-rules.ts";
export { armFaults, currentFaults } from "./faults.ts";
