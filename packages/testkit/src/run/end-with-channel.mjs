// For `--import`: ends a forked process when its parent process is gone.
import process from "node:process";

process.once("disconnect", () => process.exit(1));
