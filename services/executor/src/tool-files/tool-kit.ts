/** What a file of tools imports as `@planwright/tools-kit`, wherever it lies. */
export { AnyJson, defineTool, NotDoneError, PermanentError, TransientError, z } from "@planwright/tools-kit";
