/** The process of the gateway. */
import "@planwright/gateway/main";
