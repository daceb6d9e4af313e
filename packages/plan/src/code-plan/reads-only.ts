/** Words by which a request wants something changed. Wide: a request that is taken for one of these is only asked for more. */
const CHANGES =
  /\b(?:add|adjust|adds?|allocate|apply|appl(?:y|ies)|archive|assign|book|bought|buy(?:ing)?|cancel|change|charge|checkout|clear|close|confirm|correct|create|credit|decrease|deduct|delete|deliver|discount|drop|edit|enter|exchange|fix|fulfil+|give|get me|hold|i'?ll take|increase|insert|log|lower|mark|merge|modify|move|need|order|pay|place|process|purchase|put|raise|record|reduce|refund|register|remove|rename|replace|reserve|reset|restock|return|reverse|save|sell|send|set|ship|sold|store|subtract|swap|take|transfer|undo|update|want|withdraw|write)\b/i;
/** How questions begin that are nothing else. */
const ASKS =
  /^\W*(?:are|can you (?:tell|show)|compare|count|do|does|find|has|have|how|is|list|look up|search|show|summari[sz]e|tell|was|were|what|when|where|which|who|why)\b/i;

/**
 * Whether a request plainly asks to be told something and for nothing to be changed. By words, in English; of any other
 * request nothing is said, and the rules of the source and a person decide.
 */
export function readsOnly(request: string): boolean {
  return ASKS.test(request) && !CHANGES.test(request);
}
