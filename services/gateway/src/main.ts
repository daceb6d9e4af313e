/** The gateway: the HTTP and WebSocket side of the system, and the views of its plans. */
import { runService } from "@planwright/shared/service";
import { gatewayService } from "./gateway-service.ts";

await runService(gatewayService);
