export { type NatsRole, type Permissions, permissionsOf } from "./permissions.ts";
