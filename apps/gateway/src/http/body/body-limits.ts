/** 2 MiB: the largest body that is read. */
export const BODY_MAXIMUM_BYTES = 2_097_152;
/** Deepest nesting of arrays and objects that is parsed. */
export const JSON_MAXIMUM_DEPTH = 64;
