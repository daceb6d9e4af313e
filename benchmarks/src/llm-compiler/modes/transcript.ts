/** The prompts of the modes without a planner, as the loops of other frameworks send them to a model. */

/** The beginnings of the two kinds of system prompt, and the separators in a conversation. */
export const REACT_MARK = "Answer the question as best you can, one action at a time.";
export const BATCH_MARK = "Answer the question as best you can, calling tools in parallel.";
export const QUESTION = "Question: ";
export const OBSERVATION = "\nObservation: ";
export const RESULTS = "\nResults: ";

const TOOLS = `You have these tools:
web.search {"query": text}: looks one thing up in an encyclopedia. Gives the start of its article, and the figure that was asked for as "value" when there is one. Search for one thing at a time.
math.evaluate {"expression": text}: calculates one arithmetic expression exactly, with + - * / ( ) min max abs. Use it for every calculation, and never calculate yourself.`;

/** After ReAct (Yao et al., 2023), with its usual format and one example. */
export const REACT_SYSTEM = `${REACT_MARK}

${TOOLS}

Use this form, and stop after each Action Input:
Question: the question to answer
Thought: what to do next
Action: the tool
Action Input: its arguments as JSON
Observation: what the tool gave
... (Thought, Action, Action Input and Observation may repeat)
Thought: I have everything that I need.
Final Answer: the answer, a name or a number alone

Example:
Question: If the Nile were 10% longer, how many kilometers would it be longer than the Danube?

Thought: I need to look up Nile length (km).
Action: web.search
Action Input: {"query":"Nile length (km)"}
Observation: {"text":"Nile. The length of Nile is 6650 km.","value":6650}
Thought: I need to look up Danube length (km).
Action: web.search
Action Input: {"query":"Danube length (km)"}
Observation: {"text":"Danube. The length of Danube is 2850 km.","value":2850}
Thought: I need the difference.
Action: math.evaluate
Action Input: {"expression":"6650 * 1.1 - 2850"}
Observation: {"value":4465}
Thought: I have everything that I need.
Final Answer: 4465`;

/** The usual prompt for parallel function calling: every call that is possible now, then the next round. */
export const BATCH_SYSTEM = `${BATCH_MARK}

${TOOLS}

Reply with a JSON list of all the calls that can be made now, each {"tool": …, "args": {…}}. They run at the same time, and you are shown their results in the order of the list. Repeat until you can answer, then reply with one line:
Final Answer: the answer, a name or a number alone`;

export const questionText = (text: string): string => `${QUESTION}${text}\n`;
