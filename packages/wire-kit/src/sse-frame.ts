/** `json` must be one line, as `JSON.stringify` writes it, so that no content ends a frame early. `event` is a name of ours, or `null` for none. */
export function sseFrame(event: string | null, json: string): string {
  return event === null ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`;
}
