import type { World } from '../check.js';

const TIMEOUT_MILLISECONDS = 30_000;

/** What a test reads of a JSON value whose shape it then checks. */
export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The JSON of a whole reply; the JSON of every event of a stream. */
  readonly events: readonly Json[];
}

function eventsOf(text: string, contentType: string): readonly Json[] {
  if (!contentType.includes('event-stream')) return [JSON.parse(text) as Json];
  const data = text.split('\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]');
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}

/** Sends a request to the gateway and reads the reply to its end. */
export async function ask({ baseUrl, key }: Pick<World, 'baseUrl' | 'key'>, path: string, body: Json | null): Promise<Answer> {
  const reply = await fetch(`${baseUrl}${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === null ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const text = await reply.text();
  return { status: reply.status, text, events: eventsOf(text, reply.headers.get('content-type') ?? '') };
}

/** Every string at a place of the events, joined: `collect(events, 'choices.0.delta.content')`. */
export function collect(events: readonly Json[], path: string): string {
  return events.map((event) => at(event, path)).filter((value) => typeof value === 'string').join('');
}

/** The value at a place such as `choices.0.message.content`; `undefined` where there is none. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Json)[name] : undefined), value);
}
