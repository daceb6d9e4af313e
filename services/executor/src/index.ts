export { executorService } from "./executor-service.ts";
