import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import Anthropic, { type APIError, NotFoundError, PermissionDeniedError, RateLimitError } from '@anthropic-ai/sdk';
import { checkMessagesStream } from '@tollgate/testkit';
import type { AcceptanceWorld } from './support/acceptance-world.js';
import { BACKENDS, PROMPTS, startOn, TIME, WEATHER } from './support/backends.js';
import { PROVOKED_ERRORS } from './support/provoked-errors.js';
import { StreamRecorder } from './support/stream-recorder.js';

type Message = Anthropic.MessageParam;

const TOOLS: Anthropic.Tool[] = [WEATHER, TIME].map(({ name, schema }) => ({ name, input_schema: { ...schema, required: [...schema.required] } }));
const RESULTS: Readonly<Record<string, string>> = { [WEATHER.name]: '18 degrees', [TIME.name]: '12 o\'clock' };
const RECEIPT = { svc_tokens_debited: expect.stringMatching(/^0\.\d+$/), svc_cost_usd: expect.stringMatching(/^0\.\d+$/) };
const BOTH_CALLS = [[WEATHER.name, { city: 'Paris' }], [TIME.name, { zone: 'UTC' }]];
/** The smallest thinking budget that the format permits. */
const THINKING = { type: 'enabled', budget_tokens: 1024 } as const;

const recorder = new StreamRecorder();
let world: AcceptanceWorld;
let client: Anthropic;

function clientWith(apiKey: string): Anthropic {
  return new Anthropic({ apiKey, baseURL: world.url, maxRetries: 0, fetch: recorder.fetch });
}

function asking(text: string): Message[] {
  return [{ role: 'user', content: text }];
}

function textOf({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function callsOf({ content }: Anthropic.Message): readonly Anthropic.ToolUseBlock[] {
  return content.filter((block) => block.type === 'tool_use');
}

/** The conversation that follows: the question, the message, and one turn with a result for each call. */
function answered(question: string, message: Anthropic.Message): Message[] {
  const results = callsOf(message).map(({ id, name }) => ({ type: 'tool_result' as const, tool_use_id: id, content: RESULTS[name] ?? 'no such tool' }));
  return [...asking(question), { role: 'assistant', content: message.content }, { role: 'user', content: results }];
}

describe.each(BACKENDS)('the official anthropic client against $name', (backend) => {
  beforeAll(async () => {
    world = await startOn(backend);
    client = clientWith(world.caller.key);
  });
  afterEach(() => {
    recorder.check(checkMessagesStream);
  });
  afterAll(() => world.close());

  it('reads a whole reply with its receipt and request id', async () => {
    const { data, response, request_id: requestId } = await client.messages
      .create({ model: 'plain', max_tokens: 100, messages: asking(PROMPTS.text) }).withResponse();
    expect(data).toMatchObject({ type: 'message', role: 'assistant', model: 'plain', stop_reason: 'end_turn', stop_sequence: null, usage: RECEIPT });
    expect(data.content).toEqual([{ type: 'text', text: expect.stringMatching(/\w/) }]);
    expect(requestId).toBe(response.headers.get('request-id'));
    expect(response.headers.get('x-svc-tokens-debited')).toBe((data.usage as unknown as { svc_tokens_debited: string }).svc_tokens_debited);
  });

  it('reads stream events one by one, with usage and receipt in message_delta', async () => {
    const whole = await client.messages.create({ model: 'plain', max_tokens: 100, messages: asking(PROMPTS.text) });
    const stream = await client.messages.create({ model: 'plain', max_tokens: 100, messages: asking(PROMPTS.text), stream: true });
    const events: Anthropic.RawMessageStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const pieces = events.map((event) => (event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''));
    expect(pieces.join('')).toBe(textOf(whole));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['message_start', 'message_stop']);
    expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({
      delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { ...RECEIPT, svc_fallback_used: false, output_tokens: whole.usage.output_tokens },
    });
    expect(recorder.check(checkMessagesStream)).toBe(1);
  });

  it('assembles a stream with the client’s own helper', async () => {
    const whole = await client.messages.create({ model: 'plain', max_tokens: 100, messages: asking(PROMPTS.text) });
    const stream = client.messages.stream({ model: 'plain', max_tokens: 100, messages: asking(PROMPTS.text) });
    const pieces: string[] = [];
    stream.on('text', (piece) => pieces.push(piece));
    const final = await stream.finalMessage();
    expect([textOf(final), pieces.join(''), final.stop_reason]).toEqual([textOf(whole), textOf(whole), 'end_turn']);
    expect([final.usage.input_tokens, final.usage.output_tokens]).toEqual([whole.usage.input_tokens, whole.usage.output_tokens]);
  });

  it('calls two tools in parallel and gets a whole reply to their results', async () => {
    const first = await client.messages.create({ model: 'plain', max_tokens: 200, messages: asking(PROMPTS.tools), tools: TOOLS });
    expect([first.stop_reason, callsOf(first).map(({ name, input }) => [name, input])]).toEqual(['tool_use', BOTH_CALLS]);
    const second = await client.messages.create({ model: 'plain', max_tokens: 200, messages: answered(PROMPTS.tools, first), tools: TOOLS });
    expect(second.stop_reason).toBe('end_turn');
    expect(textOf(second)).toMatch(/18 degrees.*12 o'clock/);
  });

  it('calls two tools in parallel and gets a streamed reply to their results', async () => {
    const first = await client.messages.stream({ model: 'plain', max_tokens: 200, messages: asking(PROMPTS.tools), tools: TOOLS }).finalMessage();
    expect([first.stop_reason, callsOf(first).map(({ name, input }) => [name, input])]).toEqual(['tool_use', BOTH_CALLS]);
    expect(new Set(callsOf(first).map(({ id }) => id)).size).toBe(2);
    const second = await client.messages.stream({ model: 'plain', max_tokens: 200, messages: answered(PROMPTS.tools, first), tools: TOOLS }).finalText();
    expect(second).toMatch(/18 degrees.*12 o'clock/);
    expect(recorder.check(checkMessagesStream)).toBe(2);
  });

  it('reads thinking before the text, whole and streamed, and sends the thinking back', async () => {
    const request = { model: 'thinker', max_tokens: 2000, messages: asking(PROMPTS.reasoning), thinking: THINKING };
    const whole = await client.messages.create(request);
    const [thinking, text] = whole.content;
    expect([thinking, text]).toEqual([
      { type: 'thinking', thinking: expect.stringMatching(/\w/), signature: expect.stringMatching(/./) }, { type: 'text', text: expect.stringMatching(/\w/) },
    ]);
    const streamed = await client.messages.stream(request).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    const next = await client.messages.create({
      ...request, messages: [...request.messages, { role: 'assistant', content: whole.content }, { role: 'user', content: PROMPTS.text }],
    });
    expect(next.stop_reason).toBe('end_turn');
  });

  it.each([['does not mention thinking', {}], ['disables thinking', { thinking: { type: 'disabled' } }]] as const)('gets only the text of a reply with thinking if the request %s', async (_what, asked) => {
    const request = { model: 'thinker', max_tokens: 2000, messages: asking(PROMPTS.reasoning), ...asked };
    const whole = await client.messages.create(request);
    expect(whole.content).toEqual([{ type: 'text', text: expect.stringMatching(/\w/) }]);
    expect((await client.messages.stream(request).finalMessage()).content).toEqual(whole.content);
    const { data: [record] } = await (await fetch(`${world.url}/v1/usage?limit=1`, { headers: { 'x-api-key': world.caller.key } })).json() as
      { readonly data: readonly { readonly usage: Readonly<Record<string, unknown>> }[] };
    expect(record?.usage).toMatchObject({ reasoning_tokens: expect.any(Number), reasoning_withheld: true, output_tokens: whole.usage.output_tokens });
    expect(record?.usage['reasoning_tokens']).toBeGreaterThan(0);
  });

  it('counts tokens without being charged', async () => {
    const before = await world.available();
    const { input_tokens: alone } = await client.messages.countTokens({ model: 'plain', messages: asking(PROMPTS.text) });
    const { input_tokens: withTools } = await client.messages.countTokens({ model: 'plain', messages: asking(PROMPTS.text), tools: TOOLS, system: 'Be brief.' });
    expect([alone > 0, withTools > alone]).toEqual([true, true]);
    expect(await world.available()).toBe(before);
  });

  it('lists the models of the account\'s plan and retrieves one', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(['plain', 'thinker', 'narrow']);
    expect(await client.models.retrieve('plain')).toMatchObject({ id: 'plain', type: 'model', display_name: 'Plain', created_at: expect.any(String) });
    await expect(client.models.retrieve('other-plan')).rejects.toBeInstanceOf(PermissionDeniedError);
    await expect(client.models.retrieve('nobody')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('is served under an alias, and is told the model’s own name', async () => {
    expect((await client.messages.create({ model: 'claude-plain-20301231', max_tokens: 50, messages: asking(PROMPTS.text) })).model).toBe('plain');
  });

  it.each(PROVOKED_ERRORS.map((error) => [error.name, error] as const))('receives %s as the expected error class', async (_, { code, status, type, classes: [, expectedClass], retryAfter = /^none$/, provoke, undo }) => {
    const { key = world.caller.key, model = 'plain', text = PROMPTS.text, maxTokens = 50, temperature = 1 } = await provoke(world);
    const request = { model, messages: asking(text), max_tokens: maxTokens, temperature };
    for (const stream of [false, true]) {
      const error = await clientWith(key).messages.create({ ...request, stream }).then(() => null, (thrown: unknown) => thrown as APIError);
      expect(error?.constructor.name).toBe(expectedClass);
      expect(error).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/) });
      expect(error?.error).toEqual({ type: 'error', error: { type, code, message: expect.any(String), request_id: error?.requestID } });
      expect(error?.headers?.get('retry-after') ?? 'none').toMatch(retryAfter);
    }
    await undo?.(world);
  });

  it('receives an upstream failure in mid-stream as an error', async () => {
    const stream = await client.messages.create({ model: 'plain', max_tokens: 100, messages: asking(PROMPTS.failsMidway), stream: true });
    let text = '';
    const reading = (async () => {
      for await (const event of stream) text += event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '';
    })();
    await expect(reading).rejects.toMatchObject({ type: 'overloaded_error', error: { error: { code: 'provider_unavailable' } } });
    expect(text).toMatch(/\w/);
  });

  it('does not retry a request that the daily cap refused, although it retries by default', async () => {
    const { key } = await world.addCaller({ planId: 'tiny-day' });
    let calls = 0;
    const counting: typeof fetch = (input, init) => {
      calls += 1;
      return fetch(input, init);
    };
    const retrying = new Anthropic({ apiKey: key, baseURL: world.url, fetch: counting });
    await expect(retrying.messages.create({ model: 'plain', max_tokens: 50, messages: asking(PROMPTS.text) })).rejects.toBeInstanceOf(RateLimitError);
    expect(calls).toBe(1);
  });

  it('leaves a ledger in which an audit finds no differences', async () => {
    await world.settled();
    expect(await world.differences()).toEqual([]);
  });
});
