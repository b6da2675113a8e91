/**
 * One server-sent event. `json` is the one line that `JSON.stringify` writes: it escapes every line break,
 * so that no text of a model or a client can end a frame early. `event` is a name of ours, or `null` for none.
 */
export function sseFrame(event: string | null, json: string): string {
  return event === null ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`;
}
