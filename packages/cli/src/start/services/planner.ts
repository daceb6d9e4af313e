/** The planner process. */
import "@planwright/planner/main";
