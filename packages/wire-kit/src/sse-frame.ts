/**
 * A server-sent event, without an event line if `event` is `null`. `json` must be one line, as `JSON.stringify` writes it, so that no content ends
 * the frame early.
 */
export function sseFrame(event: string | null, json: string): string {
  return event === null ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`;
}
