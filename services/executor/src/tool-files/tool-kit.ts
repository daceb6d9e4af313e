/** The module that tool files import as `@planwright/tools-kit`, wherever they are. */
export { AnyJson, defineTool, NotDoneError, PermanentError, TransientError, z } from "@planwright/tools-kit";
