/** The module that files of tools import as `@planwright/tools-kit`, wherever they are. */
export { AnyJson, defineTool, NotDoneError, PermanentError, TransientError, z } from "@planwright/tools-kit";
