export { gatewayService } from "./gateway-service.ts";
