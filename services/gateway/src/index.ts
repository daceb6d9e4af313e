export { gatewayService } from "./gateway-service.ts";
export { PROBLEMS } from "./http/problem.ts";
export { ClientMessage } from "./socket/client-message.ts";
