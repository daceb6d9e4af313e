/** The gateway: the system's HTTP and WebSocket interface, and the views of its plans. */
import { runService } from "@planwright/shared/service";
import { gatewayService } from "./gateway-service.ts";

await runService(gatewayService);
