/** The signal with which a child ends itself when it needs more memory than its limit. */
export const OUT_OF_MEMORY_SIGNAL = "SIGUSR2";
