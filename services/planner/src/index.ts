export { PlannerConfig } from "./config.ts";
export { type Dispatcher, startDispatcher } from "./dispatch/start-dispatcher.ts";
