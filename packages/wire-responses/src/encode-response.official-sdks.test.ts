import { describe, expect, it } from '@jest/globals';
import { type AssistantBlock, GatewayError } from '@tollgate/core';
import { aCompletedGeneration } from '@tollgate/testkit';
import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { encodeResponse } from './encode-response.js';
import { aContext, aDeclaration, anEncoder, eventsBeforeEnd, PORTS, streamOf } from './test-support/builders.js';

const BLOCKS: readonly AssistantBlock[] = [
  { type: 'thinking', text: 'Hm, "well" \u{1F600}', signature: 'signed' },
  { type: 'text', text: '{"answer":"caf\u00e9\\n\u{1F600}"}' },
  { type: 'tool-call', id: 'call_1', name: 'look', argumentsJson: '{"at": 1}' },
  { type: 'tool-call', id: 'call_2', name: 'look', argumentsJson: '' },
  { type: 'tool-call', id: 'call_3', name: 'patch', argumentsJson: '{"input":"*** Begin"}' },
];
const generation = aCompletedGeneration({ blocks: BLOCKS, stopReason: 'tool-call' });
const context = aContext({ declarations: new Map([['patch', aDeclaration({ kind: 'custom', name: 'patch' })]]) });

/** A `fetch` that always returns these bytes, in chunks. */
function serving(type: string, chunks: readonly Uint8Array[]): typeof fetch {
  return () => Promise.resolve(new Response(new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  }), { headers: { 'content-type': type } }));
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const ASKED = { model: 'm', input: 'Hello' };

/** SDKs of several versions. One version's types serve for all. */
const SDKS: readonly (readonly [name: string, connect: (serve: typeof fetch) => OpenAI])[] = [
  ['openai 7', (serve) => new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: serve })],
  ['openai 6', (serve) => new OpenAI6({ apiKey: 'k', maxRetries: 0, fetch: serve }) as unknown as OpenAI],
];

describe.each(SDKS)('%s', (_name, connect) => {
  const streamed = (chunks: readonly Uint8Array[]) => connect(serving('text/event-stream', chunks)).responses.stream(ASKED);

  it('reads a whole response', async () => {
    const reply = await connect(serving('application/json', [bytesOf(encodeResponse(generation, context, PORTS))])).responses.create(ASKED);
    expect([reply.output_text, reply.output.map(({ type }) => type)]).toEqual([
      '{"answer":"caf\u00e9\\n\u{1F600}"}', ['reasoning', 'message', 'function_call', 'function_call', 'custom_tool_call'],
    ]);
  });

  it('parses structured output', async () => {
    const client = connect(serving('application/json', [bytesOf(encodeResponse(generation, context, PORTS))]));
    const reply = await client.responses.parse({ ...ASKED, text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } } });
    expect(reply.output_parsed).toEqual({ answer: 'caf\u00e9\n\u{1F600}' });
  });

  it('assembles a stream into the whole response, wherever its bytes are split', async () => {
    const bytes = bytesOf(streamOf(generation, context));
    const expected = JSON.parse(encodeResponse(generation, context, PORTS)) as { readonly output: readonly object[] };
    for (const size of [1, 7, 1000, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, number) => bytes.subarray(number * size, (number + 1) * size));
      expect(await streamed(chunks).finalResponse()).toMatchObject(expected);
    }
  }, 60_000);

  it('accepts keep-alives between all events', async () => {
    const encoder = anEncoder(context);
    const { stopReason, usage, settlement } = generation;
    const events = [...eventsBeforeEnd(generation), { type: 'generation-end' as const, stopReason, usage, settlement }];
    const frames = events.map((event, number) => (number === 0 ? '' : encoder.keepAlive()) + encoder.encode([event])).join('');
    const final = await streamed([bytesOf(frames)]).finalResponse();
    expect(final).toMatchObject(JSON.parse(encodeResponse(generation, context, PORTS)) as object);
  });

  it('throws for a stream that fails midway, whether the client reads the response or its events', async () => {
    const encoder = anEncoder(context);
    const stream = encoder.encode(eventsBeforeEnd(generation)) + encoder.encodeError(new GatewayError('provider_unavailable', 'Gone.'));
    await expect(streamed([bytesOf(stream)]).finalResponse()).rejects.toThrow('Gone.');
    const raw = await connect(serving('text/event-stream', [bytesOf(stream)])).responses.create({ ...ASKED, stream: true });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of raw) types.push(type);
    })();
    await expect(reading).rejects.toThrow('Gone.');
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
  });
});
