export { createProgram } from "./create-program.ts";
export { EXIT, type ExitCode } from "./exit-codes.ts";
export { main } from "./main.ts";
