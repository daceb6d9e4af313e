export const NAME_CHARS_MAX = 1_024;
/** Nanoseconds since the epoch. */
export const NANOS = /^\d{1,20}$/;
export const TRACE_ID = /^[0-9a-f]{32}$/;
export const SPAN_ID = /^[0-9a-f]{16}$/;
