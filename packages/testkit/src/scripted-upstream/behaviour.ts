import type { RecordedRequest } from './recorded-request.js';
import type { Gate } from './gate.js';

/** What the scripted upstream does with the connection, in order. */
export type Step =
  | { readonly type: 'send-headers'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  | { readonly type: 'wait'; readonly gate: Gate }
  /** Ends the reply as a sound server does. */
  | { readonly type: 'end' }
  /** Keeps the connection open and silent until the client leaves or the upstream is closed. */
  | { readonly type: 'hang' }
  /** Sends a TCP reset. */
  | { readonly type: 'reset' };

/** How one request is answered. */
export type Behaviour = (request: RecordedRequest) => readonly Step[];

export const JSON_HEADERS = { 'content-type': 'application/json' };
export const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream' };

/** Headers, then the given body, then the end. */
export function wholeReply(status: number, body: string, headers: Readonly<Record<string, string>> = JSON_HEADERS): readonly Step[] {
  return [{ type: 'send-headers', status, headers }, { type: 'write', bytes: Buffer.from(body) }, { type: 'end' }];
}
