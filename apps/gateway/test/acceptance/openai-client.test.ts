import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { type APIError, NotFoundError, PermissionDeniedError, RateLimitError } from 'openai';
import { checkChatStream } from '@tollgate/testkit';
import type { AcceptanceWorld } from './support/acceptance-world.js';
import { BACKENDS, PROMPTS, startOn, TIME, WEATHER } from './support/backends.js';
import { CHAT, type Format, RESPONSES } from './support/formats.js';
import { PROVOKED_ERRORS, type ProvokingRequest } from './support/provoked-errors.js';
import { StreamRecorder } from './support/stream-recorder.js';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type ReasoningMessage = OpenAI.Chat.ChatCompletionMessage & { readonly reasoning_content?: string };

const TOOLS: OpenAI.Chat.ChatCompletionTool[] = [WEATHER, TIME].map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } }));
const RESULTS: Readonly<Record<string, string>> = { [WEATHER.name]: '18 degrees', [TIME.name]: '12 o\'clock' };
const RECEIPT = { svc_tokens_debited: expect.stringMatching(/^0\.\d+$/), svc_cost_usd: expect.stringMatching(/^0\.\d+$/) };

const recorder = new StreamRecorder();
let world: AcceptanceWorld;
let client: OpenAI;

function clientWith(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0, fetch: recorder.fetch });
}

function asking(text: string): Message[] {
  return [{ role: 'user', content: text }];
}

interface ClientEndpoint {
  readonly format: Format;
  readonly create: (client: OpenAI, request: Required<Omit<ProvokingRequest, 'key'>>, stream: boolean) => Promise<unknown>;
}

const ENDPOINTS: readonly ClientEndpoint[] = [
  {
    format: CHAT,
    create: (by, { model, text, maxTokens, temperature }, stream) => by.chat.completions.create({ model, messages: asking(text), max_tokens: maxTokens, temperature, stream }),
  },
  { format: RESPONSES, create: (by, { model, text, maxTokens, temperature }, stream) => by.responses.create({ model, input: text, max_output_tokens: maxTokens, temperature, stream }) },
];

function resultsOf(message: OpenAI.Chat.ChatCompletionMessage): Message[] {
  const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
  return calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: RESULTS[call.function.name] ?? 'no such tool' }));
}

function callsOf(message: OpenAI.Chat.ChatCompletionMessage): readonly unknown[] {
  const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
  return calls.map(({ function: { name, arguments: json } }) => [name, JSON.parse(json)]);
}

const BOTH_CALLS = [[WEATHER.name, { city: 'Paris' }], [TIME.name, { zone: 'UTC' }]];

describe.each(BACKENDS)('the official openai client against $name', (backend) => {
  beforeAll(async () => {
    world = await startOn(backend);
    client = clientWith(world.caller.key);
  });
  afterEach(() => {
    recorder.check(checkChatStream);
  });
  afterAll(() => world.close());

  it('reads a whole reply with its receipt and request id', async () => {
    const { data, response, request_id: requestId } = await client.chat.completions
      .create({ model: 'plain', messages: asking(PROMPTS.text) }).withResponse();
    expect(data).toMatchObject({ object: 'chat.completion', model: 'plain', usage: RECEIPT });
    expect(data.choices).toEqual([expect.objectContaining({ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: expect.stringMatching(/\w/), refusal: null } })]);
    expect(data.usage?.total_tokens).toBe((data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0));
    expect(requestId).toBe(response.headers.get('x-request-id'));
  });

  it('reads stream events one by one, with usage and receipt in the last chunk', async () => {
    const whole = await client.chat.completions.create({ model: 'plain', messages: asking(PROMPTS.text) });
    const stream = await client.chat.completions.create({ model: 'plain', messages: asking(PROMPTS.text), stream: true });
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(whole.choices[0]?.message.content);
    expect(chunks.filter(({ usage }) => usage !== undefined && usage !== null)).toEqual([chunks.at(-1)]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { ...RECEIPT, svc_fallback_used: false }, ...RECEIPT });
    expect(recorder.check(checkChatStream)).toBe(1);
  });

  it('reads a stream without usage if the request asks for none', async () => {
    const stream = await client.chat.completions.create({ model: 'plain', messages: asking(PROMPTS.text), stream: true, stream_options: { include_usage: false } });
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.filter((chunk) => 'usage' in chunk)).toEqual([]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], ...RECEIPT });
  });

  it('assembles a stream with the client’s own helper', async () => {
    const whole = await client.chat.completions.create({ model: 'plain', messages: asking(PROMPTS.text) });
    const stream = client.chat.completions.stream({ model: 'plain', messages: asking(PROMPTS.text) });
    const pieces: string[] = [];
    stream.on('content', (piece) => pieces.push(piece));
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant', content: whole.choices[0]?.message.content } });
    expect(pieces.join('')).toBe(whole.choices[0]?.message.content);
    expect(final.usage).toMatchObject(RECEIPT);
  });

  it('calls two tools in parallel and gets a whole reply to their results', async () => {
    const first = await client.chat.completions.create({ model: 'plain', messages: asking(PROMPTS.tools), tools: TOOLS });
    const [choice] = first.choices as [OpenAI.Chat.ChatCompletion.Choice];
    expect([choice.finish_reason, choice.message.content, callsOf(choice.message)]).toEqual(['tool_calls', null, BOTH_CALLS]);
    const second = await client.chat.completions.create({
      model: 'plain', messages: [...asking(PROMPTS.tools), choice.message, ...resultsOf(choice.message)], tools: TOOLS,
    });
    expect(second.choices[0]?.finish_reason).toBe('stop');
    expect(second.choices[0]?.message.content).toMatch(/18 degrees.*12 o'clock/);
  });

  it('calls two tools in parallel and gets a streamed reply to their results', async () => {
    const { choices: [choice] } = await client.chat.completions.stream({ model: 'plain', messages: asking(PROMPTS.tools), tools: TOOLS }).finalChatCompletion();
    const message = choice?.message as OpenAI.Chat.ChatCompletionMessage;
    expect([choice?.finish_reason, callsOf(message)]).toEqual(['tool_calls', BOTH_CALLS]);
    expect(new Set(message.tool_calls?.map(({ id }) => id)).size).toBe(2);
    const second = client.chat.completions.stream({
      model: 'plain', messages: [...asking(PROMPTS.tools), message, ...resultsOf(message)], tools: TOOLS,
    });
    expect(await second.finalContent()).toMatch(/18 degrees.*12 o'clock/);
    expect(recorder.check(checkChatStream)).toBe(2);
  });

  it('reads reasoning in addition to the text, whole and streamed, and sends the reasoning back', async () => {
    const request = { model: 'thinker', messages: asking(PROMPTS.reasoning), reasoning_effort: 'high' } as const;
    const whole = await client.chat.completions.create(request);
    const message = whole.choices[0]?.message as ReasoningMessage;
    expect([message.content, message.reasoning_content]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
    const stream = await client.chat.completions.create({ ...request, stream: true });
    const deltas: { readonly content?: string | null; readonly reasoning_content?: string }[] = [];
    for await (const { choices: [choice] } of stream) deltas.push(choice?.delta ?? {});
    expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe(message.reasoning_content);
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(message.content);
    const next = await client.chat.completions.create({ model: 'thinker', messages: [...request.messages, message, { role: 'user', content: PROMPTS.text }] });
    expect(next.choices[0]?.finish_reason).toBe('stop');
  });

  it('lists the models of the account\'s plan and retrieves one', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(['plain', 'thinker', 'narrow']);
    expect(await client.models.retrieve('plain')).toMatchObject({ id: 'plain', object: 'model', owned_by: expect.any(String), created: expect.any(Number) });
    await expect(client.models.retrieve('other-plan')).rejects.toBeInstanceOf(PermissionDeniedError);
    await expect(client.models.retrieve('nobody')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('is served under an alias, and is told the model’s own name', async () => {
    expect((await client.chat.completions.create({ model: 'gpt-plain', messages: asking(PROMPTS.text) })).model).toBe('plain');
  });

  it.each(PROVOKED_ERRORS.flatMap((error) => ENDPOINTS.map((endpoint) => [error.name, endpoint.format.name, error, endpoint] as const)))('receives %s as the expected error class in the %s format', async (_, _format, provoked, { format, create }) => {
    const { code, status, type, classes: [expectedClass], param, retryAfter = /^none$/, provoke, undo } = provoked;
    const { key = world.caller.key, ...request } = await provoke(world);
    for (const stream of [false, true]) {
      const error = await create(clientWith(key), { model: 'plain', text: PROMPTS.text, maxTokens: 50, temperature: 1, ...request }, stream).then(() => null, (thrown: unknown) => thrown as APIError);
      expect(error?.constructor.name).toBe(expectedClass);
      expect(error).toMatchObject({ status, code, type: format === CHAT ? type : format.errorType(code), requestID: expect.stringMatching(/^req_/) });
      expect([error?.param ?? undefined, error?.error]).toEqual([param === 'prompt' ? format.promptField : param, expect.objectContaining({ request_id: error?.requestID })]);
      expect(error?.headers?.get('retry-after') ?? 'none').toMatch(retryAfter);
    }
    await undo?.(world);
  });

  it('receives an upstream failure in mid-stream as an error', async () => {
    const stream = await client.chat.completions.create({ model: 'plain', messages: asking(PROMPTS.failsMidway), stream: true });
    let text = '';
    const reading = (async () => {
      for await (const { choices: [choice] } of stream) text += choice?.delta.content ?? '';
    })();
    await expect(reading).rejects.toMatchObject({ code: 'provider_unavailable', type: 'overloaded_error', error: { request_id: expect.stringMatching(/^req_/) } });
    expect(text).toMatch(/\w/);
  });

  it('does not retry a request that the daily cap refused, although it retries by default', async () => {
    const { key } = await world.addCaller({ planId: 'tiny-day' });
    let calls = 0;
    const counting: typeof fetch = (input, init) => {
      calls += 1;
      return fetch(input, init);
    };
    const retrying = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, fetch: counting });
    await expect(retrying.chat.completions.create({ model: 'plain', messages: asking(PROMPTS.text) })).rejects.toBeInstanceOf(RateLimitError);
    expect(calls).toBe(1);
  });

  it('leaves a ledger in which an audit finds no differences', async () => {
    await world.settled();
    expect(await world.differences()).toEqual([]);
  });
});
