export const SERVICE_NAMES = ["planner", "executor", "reflector", "gateway"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The environment variable with the folder of the bundled services, for test processes. */
export const BUNDLED_SERVICES = "PLANWRIGHT_BUNDLED_SERVICES";
