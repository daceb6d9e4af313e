/** Words that suggest a request for a change. The list is broad, because a false match only means stricter checks. */
const CHANGES =
  /\b(?:add|adjust|adds?|allocate|apply|appl(?:y|ies)|archive|assign|book|bought|buy(?:ing)?|cancel|change|charge|checkout|clear|close|confirm|correct|create|credit|decrease|deduct|delete|deliver|discount|drop|edit|enter|exchange|fix|fulfil+|give|get me|hold|i'?ll take|increase|insert|log|lower|mark|merge|modify|move|need|order|pay|place|process|purchase|put|raise|record|reduce|refund|register|remove|rename|replace|reserve|reset|restock|return|reverse|save|sell|send|set|ship|sold|store|subtract|swap|take|transfer|undo|update|want|withdraw|write)\b/i;
/** How questions start that request nothing but information. */
const ASKS =
  /^\W*(?:are|can you (?:tell|show)|compare|count|do|does|find|has|have|how|is|list|look up|search|show|summari[sz]e|tell|was|were|what|when|where|which|who|why)\b/i;

/**
 * Whether a request clearly asks for information and for no changes. Based on English words; for any other request, the rules of
 * the source and a reviewer decide.
 */
export function readsOnly(request: string): boolean {
  return ASKS.test(request) && !CHANGES.test(request);
}
