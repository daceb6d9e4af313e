export { addWorker, type WorkerLogin } from "./add-worker.ts";
export { usersVariables, withLogin } from "./login-of.ts";
export { reloadUsers } from "./reload-users.ts";
