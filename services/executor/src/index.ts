export { ExecutorConfig } from "./config.ts";
export { type ExecutorOptions, startExecutor } from "./start-executor.ts";
