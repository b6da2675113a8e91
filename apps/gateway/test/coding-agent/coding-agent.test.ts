import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { type CheckedMessagesStream, checkMessagesStream, replies, type ScriptedReply, type StreamedBlock } from '@tollgate/testkit';
import { WireWorld } from '../clients/support/wire-world.js';
import { AGENT_PATH, AGENT_USER_ID, agentHeaders, agentRequest, FIRST_TURNS } from './agent-requests.js';
import { KINDS } from './expected-upstream-requests.js';

const MODEL = 'agent-model';
/** Context window of the model; each character counts as one token. */
const WINDOW = 128_000;

const THINKING = 'The test reads a file.';
const CALLS_TOOLS: ScriptedReply = {
  reasoning: ['The test reads ', 'a file.'],
  reasoningSignature: 'signed-by-the-upstream',
  text: 'Let me look.',
  toolCalls: [
    { id: 'toolu_1', name: 'Read', arguments: ['{"file_path":', '"a.txt"}'] },
    { id: 'toolu_2', name: 'Read', arguments: '{"file_path":"b.txt","limit":10}' },
  ],
  usage: { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960, prompt_tokens_details: { cached_tokens: 800 } },
};
const IS_DONE: ScriptedReply = { text: ['It passes ', 'now.'] };

/** A turn with a result, a failed result and a reminder. */
const RESULTS: JsonObject = {
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'one\ntwo', is_error: false },
    { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'No such file.' }], is_error: true, cache_control: { type: 'ephemeral' } },
    { type: 'text', text: '<system-reminder>Mind the time.</system-reminder>' },
  ],
};

describe.each(KINDS)('a coding agent over an upstream of the kind $kind', ({ definition, turnsField, outputField, firstMessages, signature, round, rest }) => {
  let world: WireWorld;

  beforeEach(async () => {
    world = await WireWorld.start({ models: [MODEL], aliases: { [MODEL]: ['claude-*'] }, definition });
  });

  afterEach(() => world.close());

  const post = (path: string, body: JsonObject): Promise<Response> => world.gateway.post(path, body, agentHeaders(world.gateway.caller.key));

  /** Sends the messages, and returns the stream after checking its grammar. */
  async function ask(messages: readonly JsonObject[]): Promise<CheckedMessagesStream> {
    const reply = await post(AGENT_PATH, agentRequest(messages));
    expect([reply.status, reply.headers.get('x-svc-model'), reply.headers.get('content-type')]).toEqual([200, MODEL, 'text/event-stream; charset=utf-8']);
    return checkMessagesStream(await reply.text());
  }

  it('gets its first reply completely, under the alias that it requested', async () => {
    world.upstream.script(MODEL, replies(CALLS_TOOLS));
    const { blocks, stopReason, usage } = await ask(FIRST_TURNS);
    expect(blocks).toEqual([
      { type: 'thinking', thinking: THINKING, signature },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'Read', inputJson: '{"file_path":"a.txt"}' },
      { type: 'tool_use', id: 'toolu_2', name: 'Read', inputJson: '{"file_path":"b.txt","limit":10}' },
    ]);
    expect(stopReason).toBe('tool_use');
    expect(usage).toMatchObject({ input_tokens: 100, cache_read_input_tokens: 800, output_tokens: 60 });
  });

  it('has its full request forwarded except for its vendor’s own fields', async () => {
    await ask(FIRST_TURNS);
    expect(world.upstream.requests.map(({ body }) => body)).toEqual([{ model: MODEL, [outputField]: 32_000, stream: true, [turnsField]: firstMessages, ...rest }]);
    const sent = JSON.stringify([world.upstream.requests[0]?.body, world.upstream.requests[0]?.headers]);
    for (const secret of ['x-anthropic-billing-header', 'cache_control', 'defer_loading', 'web_search', 'context_management', 'claude-code-20250219', world.gateway.caller.key]) {
      expect(sent).not.toContain(secret);
    }
  });

  it('completes a round of tool calls, returning thinking with its signature', async () => {
    world.upstream.script(MODEL, replies(CALLS_TOOLS), replies(IS_DONE));
    const { blocks } = await ask(FIRST_TURNS);
    const { blocks: answer, stopReason } = await ask([...FIRST_TURNS, { role: 'assistant', content: blocks.map(replayed) }, RESULTS]);
    expect(answer).toEqual([{ type: 'text', text: 'It passes now.' }]);
    expect(stopReason).toBe('end_turn');
    expect(world.upstream.requests[1]?.body[turnsField]).toEqual([...firstMessages, ...round]);
  });

  it('is recorded with its long user name', async () => {
    await ask(FIRST_TURNS);
    const { data } = (await (await world.gateway.fetch(`/v1/usage?user=${encodeURIComponent(AGENT_USER_ID)}`)).json()) as { readonly data: readonly JsonObject[] };
    expect(data).toHaveLength(1);
  });

  async function countOf(messages: readonly JsonObject[]): Promise<number> {
    const counted = await post('/v1/messages/count_tokens?beta=true', agentRequest(messages, { max_tokens: undefined, stream: undefined }));
    return Number(((await counted.json()) as JsonObject)['input_tokens']);
  }

  async function refusalOf(messages: readonly JsonObject[], fields: JsonObject = {}): Promise<readonly [number, unknown]> {
    const reply = await post(AGENT_PATH, agentRequest(messages, fields));
    const { error } = (await reply.json()) as { readonly error: JsonObject };
    return [reply.status, error['message']];
  }

  const long = (characters: number): readonly JsonObject[] => [...FIRST_TURNS, { role: 'user', content: 'x'.repeat(characters) }];

  it('gets the message that makes it compact the conversation if its prompt is too long', async () => {
    const turns = long(WINDOW + 1);
    expect(await refusalOf(turns)).toEqual([400, `prompt is too long: ${await countOf(turns)} tokens > ${WINDOW} maximum`]);
  });

  it('gets the message that makes it ask for less if its maximum output is too large, and is then served', async () => {
    const turns = long(100_000);
    const prompt = await countOf(turns);
    expect(prompt).toBeGreaterThan(100_000);
    expect(await refusalOf(turns)).toEqual([400, `input length and \`max_tokens\` exceed context limit: ${prompt} + 32000 > ${WINDOW}`]);
    const reply = await post(AGENT_PATH, agentRequest(turns, { max_tokens: WINDOW - prompt }));
    expect(reply.status).toBe(200);
    expect(checkMessagesStream(await reply.text()).stopReason).toBe('end_turn');
  });
});

describe('a coding agent, besides its message requests,', () => {
  let world: WireWorld;

  beforeEach(async () => {
    world = await WireWorld.start({ models: [MODEL], aliases: { [MODEL]: ['claude-*'] }, definition: KINDS[0].definition });
  });

  afterEach(() => world.close());

  it('gets 404 without a body for its HEAD request of /api/hello', async () => {
    const reply = await fetch(`${world.url}/api/hello`, { method: 'HEAD', headers: agentHeaders(world.gateway.caller.key) });
    expect([reply.status, await reply.text()]).toEqual([404, '']);
  });

  it('gets 404 for its event reports', async () => {
    const reply = await world.gateway.post('/api/event_logging/batch', { events: [{ event_type: 'x' }] }, agentHeaders(world.gateway.caller.key));
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ error: { type: 'not_found_error', code: 'not_found', request_id: reply.headers.get('request-id') } });
  });

  it('gets the list of models when it asks for a page of 1,000', async () => {
    const reply = await world.gateway.fetch('/v1/models?limit=1000');
    expect(await reply.json()).toMatchObject({ data: [{ id: MODEL, display_name: MODEL }] });
  });
});

/** A block as the agent returns it: its joined argument deltas become `input`. */
function replayed(block: StreamedBlock): JsonObject {
  if (block.type !== 'tool_use') return { ...block };
  const { inputJson, ...rest } = block;
  return { ...rest, input: JSON.parse(inputJson) as JsonObject };
}
