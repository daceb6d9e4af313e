/** The executor process. */
import "@planwright/executor/main";
