/** The process of the reflector. */
import "@planwright/reflector/main";
