export { addWorker } from "./add-worker.ts";
export { withLogin } from "./login-of.ts";
export { reloadUsers } from "./reload-users.ts";
