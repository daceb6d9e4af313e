// For `--import`: ends a forked process when the process that forked it is gone.
import process from "node:process";

process.once("disconnect", () => process.exit(1));
