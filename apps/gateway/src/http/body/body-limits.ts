/** 2 MiB: the largest body that is read. */
export const BODY_MAXIMUM_BYTES = 2_097_152;
/** Deepest nesting of arrays and objects that is parsed. */
export const JSON_MAXIMUM_DEPTH = 64;
/** Keys of all objects in a body together, and items of all lists: a value takes many times the memory of its text. */
export const JSON_MAXIMUM_KEYS = 32_768;
export const JSON_MAXIMUM_ITEMS = 131_072;
