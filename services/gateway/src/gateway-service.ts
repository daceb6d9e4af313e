import { defineService } from "@planwright/shared/service";
import { GatewayConfig } from "./config.ts";
import { startGateway } from "./start-gateway.ts";

/** The gateway as its supervisor sees it; `url` is the URL it listens on. */
export const gatewayService = defineService({ name: "gateway", Config: GatewayConfig, start: startGateway });
