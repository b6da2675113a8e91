import * as fc from 'fast-check';
import type { JsonObject } from '@tollgate/core';
import { type ByteMutation, byteMutation, withMutatedBytes } from './byte-mutation.js';
import { jsonMutation, mutated } from './json-mutation.js';
import { textOf } from './json-tree.js';
import { ANTHROPIC_REPLIES, OPENAI_REPLIES, RESPONSES_REPLIES, type SoundReply } from './sound-replies.js';
import { bytesOfFrames, framing, streamMutation, withMutatedFrames } from './stream-mutation.js';

const TARGETS = ['/v1/chat/completions', '/v1/messages', '/v1/responses'] as const;

/** A valid request, and the broken reply that the upstream sends to it. */
export interface FuzzedUpstream {
  readonly model: string;
  readonly target: (typeof TARGETS)[number];
  readonly body: JsonObject;
  readonly status: number;
  /** `null` if the upstream sends no content type. */
  readonly contentType: string | null;
  readonly writes: readonly Buffer[];
  readonly ending: 'end' | 'reset';
}

interface UpstreamKind {
  readonly model: string;
  readonly replies: readonly SoundReply[];
}

const KINDS: readonly UpstreamKind[] = [
  { model: 'by-openai', replies: OPENAI_REPLIES }, { model: 'by-anthropic', replies: ANTHROPIC_REPLIES }, { model: 'by-responses', replies: RESPONSES_REPLIES },
];

const SCHEMA: JsonObject = { type: 'object', properties: {} };
/** Tools that the upstream's replies may call. */
const RESPONSES_TOOLS: readonly JsonObject[] = [{ type: 'function', name: 'weather', parameters: SCHEMA }, { type: 'custom', name: 'tides' }];

/** A request of one format; its fields determine how the gateway reads and encodes the reply. */
function requestOf(target: FuzzedUpstream['target'], model: string, { stream, stop, output, store }: Asked): JsonObject {
  if (target === '/v1/responses') return { model, max_output_tokens: output, stream, input: 'Hello', store, tools: RESPONSES_TOOLS };
  const shared = { model, max_tokens: output, stream, messages: [{ role: 'user', content: 'Hello' }] };
  if (target === '/v1/messages') return { ...shared, stop_sequences: stop, tools: [{ name: 'weather', input_schema: SCHEMA }] };
  return { ...shared, stop, tools: [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }] };
}

interface Asked {
  readonly stream: boolean;
  /** May have one sequence more than the upstream permits, which the gateway must then find itself. */
  readonly stop: readonly string[];
  readonly output: number;
  readonly store: boolean;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  stream: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  stop: fc.constantFrom([], ['<a>', '<b>', 'word7', ' there', '\u{1F600}']),
  // Above 4,096, the gateway reads a whole reply as a stream.
  output: fc.constantFrom(200, 8_000),
  store: fc.boolean(),
});

const byteMutations = fc.oneof({ weight: 4, arbitrary: fc.constant<readonly ByteMutation[]>([]) }, { weight: 1, arbitrary: fc.array(byteMutation, { minLength: 1, maxLength: 3 }) });

const streamed = (reply: SoundReply): fc.Arbitrary<Buffer> => fc.record({ changes: fc.array(streamMutation, { maxLength: 4 }), framing })
  .map(({ changes, framing: framed }) => bytesOfFrames(changes.reduce(withMutatedFrames, reply.frames), framed));

const whole = (reply: SoundReply): fc.Arbitrary<Buffer> => fc.array(jsonMutation, { maxLength: 4 })
  .map((changes) => Buffer.from(textOf(changes.reduce(mutated, reply.whole))));

function written(bytes: Buffer, changes: readonly ByteMutation[], cuts: readonly number[]): readonly Buffer[] {
  const changed = changes.reduce(withMutatedBytes, bytes);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (changed.length + 1)), changed.length])].toSorted((a, b) => a - b);
  return places.slice(1).map((end, position) => changed.subarray(places[position], end));
}

const contentType = (usual: string): fc.Arbitrary<string | null> => fc.oneof(
  { weight: 12, arbitrary: fc.constant(usual) },
  { weight: 1, arbitrary: fc.constantFrom('text/event-stream; charset=utf-8', 'text/event-stream', 'application/json', 'text/plain', 'text/html', 'TEXT/Event-Stream', 'application/x-ndjson', '', null) },
);

const status = fc.oneof({ weight: 20, arbitrary: fc.constant(200) }, { weight: 1, arbitrary: fc.constantFrom(201, 204, 400, 401, 402, 404, 408, 413, 422, 429, 500, 503, 529, 307) });

/** A valid reply with mutations of its frames or its JSON. */
export const fuzzedUpstream: fc.Arbitrary<FuzzedUpstream> = fc.record({
  kind: fc.constantFrom(...KINDS), target: fc.constantFrom(...TARGETS), asked,
}).chain(({ kind, target, asked: wants }) => {
  const asStream = wants.stream || wants.output > 4_096;
  return fc.record({
    bytes: fc.constantFrom(...kind.replies).chain((reply) => (asStream ? streamed(reply) : whole(reply))),
    byteChanges: byteMutations,
    cuts: fc.array(fc.nat({ max: 5_000 }), { maxLength: 4 }),
    status,
    contentType: contentType(asStream ? 'text/event-stream' : 'application/json'),
    ending: fc.oneof({ weight: 12, arbitrary: fc.constant('end' as const) }, { weight: 1, arbitrary: fc.constant('reset' as const) }),
  }).map(({ bytes, byteChanges, cuts, ...answer }): FuzzedUpstream => ({
    model: kind.model, target, body: requestOf(target, kind.model, wants), writes: written(bytes, byteChanges, cuts), ...answer,
  }));
});
