const HEAD = 8;
const TAIL = 6;

/** An id with its middle cut, for tables: `req_0Vbh…mqlaxE`. */
export function shortId(id: string): string {
  return id.length <= HEAD + TAIL + 1 ? id : `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`;
}
