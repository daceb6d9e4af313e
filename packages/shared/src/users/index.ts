export { authorizationOf, type PasswordUser } from "./authorization.ts";
export { provisionServer } from "./provision-server.ts";
export {
  accessAs,
  keepUsers,
  type NatsUser,
  readUsers,
  seedFileOf,
  URL_FILE,
  usersFolder,
  workerName,
} from "./users-folder.ts";
