/** The gateway process. */
import "@planwright/gateway/main";
