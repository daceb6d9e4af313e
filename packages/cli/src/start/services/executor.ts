/** The process of the executor. */
import "@planwright/executor/main";
