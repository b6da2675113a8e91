import type { JsonObject } from '@tollgate/core';
import { cutAt, framesOf, type Framing } from './framing.js';
import type { Gate } from './gate.js';
import type { ScriptedReply } from './scripted-reply.js';
import { formatOf, modelOf, type RecordedRequest, wantsStream } from './scripted-upstream.js';

/** An action of the scripted upstream on its connection. */
export type Step =
  | { readonly type: 'send-headers'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  | { readonly type: 'wait'; readonly gate: Gate }
  | { readonly type: 'end' }
  /** Keeps the connection open without sending data, until the client disconnects or the upstream is closed. */
  | { readonly type: 'hang' }
  | { readonly type: 'reset' }
  | { readonly type: 'close' };

export type Behaviour = (request: RecordedRequest) => readonly Step[];

const JSON_HEADERS = { 'content-type': 'application/json' };
const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream' };

export function wholeReply(status: number, body: string, headers: Readonly<Record<string, string>> = JSON_HEADERS): readonly Step[] {
  return [{ type: 'send-headers', status, headers }, { type: 'write', bytes: Buffer.from(body) }, { type: 'end' }];
}

/** Waits for `gate` before the headers, before the frame with this number (from 0), or before the end. */
export interface Pause {
  readonly before: 'headers' | 'end' | number;
  readonly gate: Gate;
}

interface Delivery extends Framing {
  readonly pauses?: readonly Pause[];
}

/** How a stream breaks off: the connection ends, hangs or is reset, or an error event is sent. */
export type Breakage = 'end' | 'hang' | 'reset' | { readonly error: JsonObject };

/** Sends the reply, as a stream if the request asks for one. */
export function replies(reply: ScriptedReply, delivery: Delivery = {}): Behaviour {
  return (request) => {
    const format = formatOf(request);
    if (wantsStream(request)) return streamSteps(format.frames(reply, modelOf(request), delivery), delivery);
    return [
      ...waits('headers', delivery),
      ...wholeReply(200, JSON.stringify(format.whole(reply, modelOf(request)))).slice(0, -1),
      ...waits('end', delivery),
      { type: 'end' },
    ];
  };
}

/** Sends exactly this body. Each member of an array is one write. */
export function sendsRaw(body: string | readonly (string | Uint8Array)[], contentType = 'text/event-stream'): Behaviour {
  const writes = typeof body === 'string' ? [body] : body;
  return () => [
    { type: 'send-headers', status: 200, headers: { 'content-type': contentType } },
    ...writes.map((bytes): Step => ({ type: 'write', bytes: Buffer.from(bytes) })),
    { type: 'end' },
  ];
}

/** Sends the first `frameCount` frames of a stream; of a whole reply, the first half, or nothing if `frameCount` is 0. Then breaks off. */
export function breaksAfter(frameCount: number, breakage: Breakage, reply: ScriptedReply = { text: ['Once ', 'upon ', 'a ', 'time'] }): Behaviour {
  return (request) => [
    { type: 'send-headers', status: 200, headers: wantsStream(request) ? EVENT_STREAM_HEADERS : { 'content-type': 'application/json' } },
    ...beginning(request, frameCount, reply),
    ...breakageSteps(request, breakage),
  ];
}

export function hangsBeforeHeaders(): Behaviour {
  return () => [{ type: 'hang' }];
}

export function resetsBeforeHeaders(): Behaviour {
  return () => [{ type: 'reset' }];
}

/** Answers with a status. The default body is a typical error object. */
export function answersStatus(status: number, body?: JsonObject, headers: Readonly<Record<string, string>> = {}): Behaviour {
  const error = { message: `scripted status ${status}`, type: 'scripted_error', code: null };
  return (request) => wholeReply(status, JSON.stringify(body ?? formatOf(request).errorBody(error)), { 'content-type': 'application/json', ...headers });
}

/** Answers with the HTML page of a proxy whose server is down. */
export function answersHtml(status = 502): Behaviour {
  return () => wholeReply(status, '<html><body><h1>Bad Gateway</h1></body></html>', { 'content-type': 'text/html' });
}

export function answersMalformedJson(): Behaviour {
  return () => wholeReply(200, '{"id": "chatcmpl-scripted", "choices": [');
}

export function redirectsTo(location: string, status = 307): Behaviour {
  return () => wholeReply(status, '', { location });
}

function streamSteps(frames: readonly string[], delivery: Delivery): readonly Step[] {
  return [
    ...waits('headers', delivery),
    { type: 'send-headers', status: 200, headers: EVENT_STREAM_HEADERS },
    ...(delivery.splitAt === undefined
      ? frames.flatMap((frame, position) => [...waits(position, delivery), write(frame)])
      : cutAt(Buffer.from(frames.join('')), delivery.splitAt).map((bytes): Step => ({ type: 'write', bytes }))),
    ...waits('end', delivery),
    { type: 'end' },
  ];
}

function beginning(request: RecordedRequest, frameCount: number, reply: ScriptedReply): readonly Step[] {
  const format = formatOf(request);
  if (wantsStream(request)) return format.frames(reply, modelOf(request)).slice(0, frameCount).map(write);
  const whole = JSON.stringify(format.whole(reply, modelOf(request)));
  return frameCount === 0 ? [] : [write(whole.slice(0, whole.length / 2))];
}

function breakageSteps(request: RecordedRequest, breakage: Breakage): readonly Step[] {
  if (typeof breakage === 'string') return [{ type: breakage }];
  return [...framesOf([formatOf(request).errorBody(breakage.error)], { done: 'missing' }).map(write), { type: 'end' }];
}

function write(text: string): Step {
  return { type: 'write', bytes: Buffer.from(text) };
}

function waits(before: Pause['before'], delivery: Delivery): readonly Step[] {
  return (delivery.pauses ?? []).filter((pause) => pause.before === before).map(({ gate }) => ({ type: 'wait', gate }));
}
