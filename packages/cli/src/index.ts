export { type CommandContext, processContext } from "./command-context.ts";
export { createProgram } from "./create-program.ts";
export { EXIT, type ExitCode } from "./exit-codes.ts";
export { jsonFieldsOf } from "./output/json-fields.ts";
export { exitCodeOf } from "./plans/watch-plan.ts";
export { planLines } from "./plans/plan-text.ts";
export { main, runCommand } from "./main.ts";
