/** The process of the planner. */
import "@planwright/planner/main";
