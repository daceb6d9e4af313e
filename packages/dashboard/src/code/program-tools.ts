/** The tools whose steps run a program, or apply what a program has tried out. */
export const CODE_RUN = "code.run";
export const DRYRUN = "data.dryrun";
export const APPLY = "data.apply";

export const PROGRAM_TOOLS: ReadonlySet<string> = new Set([CODE_RUN, DRYRUN, APPLY]);
