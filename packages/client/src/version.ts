/** The version of this client; a gateway of the same version speaks the same contract. */
export const VERSION = "0.1.0";
