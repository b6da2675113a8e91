const HEAD = 8;
const TAIL = 6;

/** For example `req_0Vbh…mqlaxE`. */
export function shortId(id: string): string {
  return id.length <= HEAD + TAIL + 1 ? id : `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`;
}
