/** The reflector process. */
import "@planwright/reflector/main";
