export const SERVICE_NAMES = ["planner", "executor", "reflector", "gateway"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The environment variable that tells test processes where the services lie bundled. */
export const BUNDLED_SERVICES = "PLANWRIGHT_BUNDLED_SERVICES";
