/** What a child ends itself with when it needs more memory than it may have. */
export const OUT_OF_MEMORY_SIGNAL = "SIGUSR2";
