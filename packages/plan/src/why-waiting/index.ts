export { whyPlanWaits } from "./why-plan-waits.ts";
export { whyWaiting } from "./why-waiting.ts";
