export { whyPlanWaits } from "./why-plan-waits.ts";
export { madeMs, whyWaiting } from "./why-waiting.ts";
