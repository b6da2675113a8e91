import { describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import {
  type AssistantBlock, type GenerationRequest, type JsonObject, type ModelSlug, type ProviderFailure, type ProviderStream, tokenCount, type Tool,
} from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { aCall, type CallChanges, failureOf, readStream, says, ToldProvider, turns } from '../test-support/calls.js';
import { REFUSAL_CODES, UNAVAILABLE_MODEL } from './simulated-refusal.js';
import { SandboxProvider } from './sandbox-provider.js';

const clock = new ManualClock();
const sandbox = new ToldProvider(new SandboxProvider({ clock, ids: new SequentialIds() }));

function open(message: string, changes: CallChanges = {}): Promise<ProviderStream> {
  return sandbox.open(aCall({ ...changes, request: { ...turns(says(message)), ...changes.request } }));
}

async function ask(message: string, changes: CallChanges = {}) {
  return readStream(await open(message, changes));
}

function textOf(blocks: readonly AssistantBlock[]): string {
  return blocks.filter((block) => block.type === 'text').map(({ text }) => text).join('');
}

const tools: readonly Tool[] = [
  { name: 'weather', description: null, inputSchema: jsonDocument({ type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } }, required: ['city'] }) },
  { name: 'clock', description: null, inputSchema: null },
];
const namesOf = (blocks: readonly AssistantBlock[]) => blocks.filter((block) => block.type === 'tool-call').map(({ name }) => name);

describe('SandboxProvider', () => {
  it('states that its reply is simulated, and gives the same reply to the same message', async () => {
    const [one, two] = [await ask('Hi there'), await ask('Hi there')];
    expect(textOf(one.blocks)).toBe('This is a simulated reply by the sandbox model small. You said: “Hi there”');
    expect(two).toEqual(one);
  });

  it('gives the same reply whole and streamed', async () => {
    for (const message of ['Hi', '[[tokens:50]]', '[[tools:2]]', '[[stop:length]]']) {
      const request = { tools };
      const [whole, streamed] = [await ask(message, { delivery: 'whole', request }), await ask(message, { request })];
      expect(whole.batches).toHaveLength(1);
      const withoutIds = (blocks: readonly AssistantBlock[]): readonly AssistantBlock[] => blocks.map((block) => (block.type === 'tool-call' ? { ...block, id: '' } : block));
      expect([withoutIds(whole.blocks), whole.end]).toEqual([withoutIds(streamed.blocks), streamed.end]);
    }
  });

  it('writes and reports the requested number of tokens', async () => {
    const { batches, blocks, end } = await ask('[[tokens:200]]');
    expect(batches).toHaveLength(201);
    expect(textOf(blocks)).toMatch(/^This is simulated text/);
    expect(end).toMatchObject({ stopReason: 'end', usage: { outputTokens: 200, reasoningTokens: 0, cachedPromptTokens: 0 } });
    expect(end?.usage?.promptTokens).toBeGreaterThan(0);
  });

  it('ends its text at the maximum number of output tokens', async () => {
    const { end, blocks } = await ask('[[tokens:200]]', { maxOutputTokens: tokenCount(7) });
    expect(end).toMatchObject({ stopReason: 'max-tokens', usage: { outputTokens: 7 } });
    expect(textOf(blocks)).toBe('This is simulated text from the sandbox.');
    expect((await ask('[[tokens:7]]', { maxOutputTokens: tokenCount(7) })).end?.stopReason).toBe('end');
  });

  it('stops at a stop sequence', async () => {
    const { end, blocks } = await ask('[[tokens:200]]', { request: { stopSequences: ['ted text'] } });
    expect(textOf(blocks)).toBe('This is simula');
    expect(end?.stopReason).toBe('end');
  });

  it.each<[string, CallChanges, string]>([
    ['reasons when its model does', { model: { reasoning: true } }, 'Simulated reasoning: no model is thinking here.'],
    ['does not reason when the request says so', { model: { reasoning: true }, request: { reasoning: 'off' } }, ''],
    ['does not reason when its model cannot', {}, ''],
  ])('%s', async (_name, ...[changes, reasoning]) => {
    const { blocks } = await ask('Hi', changes);
    expect(blocks.flatMap((block) => (block.type === 'thinking' ? [block.text] : [])).join('')).toBe(reasoning);
    expect(blocks.at(-1)?.type).toBe('text');
  });

  it('reasons with the requested number of tokens, even if the request turns reasoning off', async () => {
    expect((await ask('[[reasoning:30]] [[tokens:5]]', { model: { reasoning: true } })).end?.usage).toMatchObject({ outputTokens: 35, reasoningTokens: 30 });
    expect((await ask('[[reasoning:30]] [[tokens:5]]', { model: { reasoning: true }, request: { reasoning: 'off' } })).end?.usage).toMatchObject({ reasoningTokens: 30 });
  });

  it.each<[string, string, Partial<GenerationRequest>, readonly string[]]>([
    ['the first tool', '[[tool]]', {}, ['weather']],
    ['a tool by name', '[[tool:clock]]', {}, ['clock']],
    ['named tools in parallel', '[[tool:clock]][[tool:weather]]', {}, ['clock', 'weather']],
    ['several tools in turn', '[[tools:3]]', {}, ['weather', 'clock', 'weather']],
    ['one tool where parallel calls are unwanted', '[[tools:3]]', { parallelToolCalls: false }, ['weather']],
    ['a tool the request insists on', 'Hi', { toolChoice: { kind: 'tool', name: 'clock' } }, ['clock']],
    ['any tool the request insists on', 'Hi', { toolChoice: { kind: 'any' } }, ['weather']],
    ['no tool against the request', '[[tool]]', { toolChoice: { kind: 'none' } }, []],
    ['no tool that was not offered', '[[tool:rocket]]', {}, []],
    ['no tool unasked', 'Hi', {}, []],
  ])('calls %s', async (_name, ...[message, request, names]) => {
    const { blocks, end } = await ask(message, { request: { tools, ...request } });
    expect(namesOf(blocks)).toEqual(names);
    expect(end?.stopReason).toBe(names.length > 0 ? 'tool-call' : 'end');
    const ids = blocks.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
    expect(new Set(ids).size).toBe(names.length);
  });

  it('generates arguments that fit the schema', async () => {
    const { blocks } = await ask('[[tools:2]]', { request: { tools } });
    expect(blocks.map((block) => block.type === 'tool-call' && block.argumentsJson)).toEqual(['{"city":"simulated"}', '{}']);
  });

  it('quotes tool results in its reply, and makes no further tool call', async () => {
    const conversation = turns(says('[[tool]]'), { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'weather', argumentsJson: '{}' }] }, {
      role: 'user', content: [{ type: 'tool-result', toolCallId: 'c1', content: [{ type: 'text', text: 'sunny [[tool]]' }], isError: true }],
    });
    const { blocks } = await ask('', { request: { tools, ...conversation } });
    expect(namesOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toContain('The tools answered: an error, “sunny [[tool]]”.');
  });

  it.each<[string, Partial<GenerationRequest>]>([['[[json]]', {}], ['Hi', { responseFormat: 'json' }]])('replies to %s in JSON, which the trigger or the response format requests', async (message, request) => {
    const { blocks } = await ask(message, { request });
    expect(JSON.parse(textOf(blocks)) as JsonObject).toMatchObject({ simulated: true, model: 'small' });
  });

  it.each([['length', 'max-tokens'], ['content_filter', 'content-filter'], ['capacity', 'capacity']])('ends a reply on the trigger stop:%s with the stop reason %s', async (asked, stopReason) => {
    expect((await ask(`[[stop:${asked}]]`)).end?.stopReason).toBe(stopReason);
  });

  it('reports cached tokens, or no usage, on request', async () => {
    const long = 'word '.repeat(200);
    expect((await ask(`[[cached:100]]${long}`)).end?.usage?.cachedPromptTokens).toBe(100);
    const { usage } = (await ask('[[cached:999999]]')).end ?? {};
    expect(usage?.cachedPromptTokens).toBe(usage?.promptTokens);
    expect((await ask('[[usage:missing]]')).end?.usage).toBeNull();
  });

  it.each(REFUSAL_CODES)('refuses with %s on request', async (code) => {
    await expect(open(`[[refuse:${code}]]`)).rejects.toMatchObject({ name: 'GatewayError', code, message: `Simulated refusal: ${code}.` });
  });

  it('fails before any output on request: for the requested model only, or for its fallbacks too', async () => {
    const failure = { kind: 'unavailable' } satisfies Partial<ProviderFailure>;
    await expect(open('[[fail:before]]')).rejects.toMatchObject(failure);
    await expect(open('[[fail:before]]', { model: { aliases: ['other-*'] }, request: { model: 'other-1' } })).rejects.toMatchObject(failure);
    expect(textOf((await ask('[[fail:before]]', { model: { slug: 'spare' as ModelSlug } })).blocks)).toContain('sandbox model spare');
    await expect(open('[[fail:everywhere]]', { model: { slug: 'spare' as ModelSlug } })).rejects.toMatchObject(failure);
  });

  it('fails every call to its model that simulates an unavailable one', async () => {
    const target = { upstreamId: 'sandbox', upstreamModel: UNAVAILABLE_MODEL };
    await expect(open('Hi', { target })).rejects.toMatchObject({ kind: 'unavailable', reason: 'server-error' });
  });

  it.each(['whole', 'stream'] as const)('fails in the middle of a reply on request (delivery: %s)', async (delivery) => {
    const stream = await open('[[fail:middle]] [[tokens:10]]', { delivery });
    await stream.next();
    await expect((async () => { while ((await stream.next()).done !== true); })()).rejects.toMatchObject({ kind: 'unavailable', reason: 'cut-off' });
  });

  it('waits for the requested time', async () => {
    let opened = false;
    const opening = open('[[latency:500]] [[pace:20]] [[tokens:3]]').then((stream) => {
      opened = true;
      return stream;
    });
    await clock.advanceAsync(499);
    expect(opened).toBe(false);
    await clock.advanceAsync(1);
    const stream = await opening;
    await stream.next();
    let read = false;
    const reading = stream.next().then(() => { read = true; });
    await clock.advanceAsync(19);
    expect(read).toBe(false);
    await clock.advanceAsync(1);
    await reading;
    await stream.return();
    expect(clock.pendingTasks).toBe(0);
  });

  it('ends a requested wait at the generation timeout', async () => {
    const stream = await open('[[pace:400000]] [[tokens:5]]');
    for (const pause of [0, 400_000, 400_000]) {
      const reading = stream.next();
      await clock.advanceAsync(pause);
      expect(await reading).toMatchObject({ done: false });
    }
    const failing = failureOf(stream.next());
    await clock.advanceAsync(99_999);
    expect(clock.pendingTasks).toBe(1);
    await clock.advanceAsync(1);
    expect(await failing).toMatchObject({ kind: 'out-of-time', reason: 'too-long-running' });
    expect([await stream.next(), clock.pendingTasks]).toEqual([{ done: true, value: undefined }, 0]);
  });

  it('ends a pause immediately if the call is cancelled or the stream closed', async () => {
    const leaving = new AbortController();
    const failing = failureOf(open('[[latency:500]]', { signal: leaving.signal }));
    leaving.abort();
    expect(await failing).toMatchObject({ reason: 'cancelled' });
    const stream = await open('[[pace:500]]');
    await stream.next();
    const reading = stream.next();
    await stream.return();
    await expect(reading).resolves.toEqual({ done: true, value: undefined });
    expect(clock.pendingTasks).toBe(0);
  });

  it('names an unknown trigger in its reply', async () => {
    expect(textOf((await ask('[[tokns:5]]')).blocks)).toContain('There is no trigger named tokns');
  });

  it('names an unknown refusal code in its reply', async () => {
    expect(textOf((await ask('[[refuse:too_late]]')).blocks)).toContain('There is no code too_late to refuse with');
  });

  it.each(['daily_limit_exceeded', 'monthly_limit_exceeded', 'api_key_limit_exceeded'])('states a retry time of an hour in a simulated refusal with %s', async (code) => {
    expect(await failureOf(open(`[[refuse:${code}]]`))).toMatchObject({ code, retryAfterSeconds: 3_600 });
  });

  it('spends no processor time on requested tokens beyond the output limit', async () => {
    const startedAt = process.cpuUsage();
    for (let asked = 0; asked < 10; asked += 1) {
      const { end } = await ask('[[tokens:1000000]] [[reasoning:1000000]]', { model: { reasoning: true }, maxOutputTokens: tokenCount(100) });
      expect(end).toMatchObject({ stopReason: 'max-tokens', usage: { outputTokens: 100, reasoningTokens: 100 } });
    }
    expect(process.cpuUsage(startedAt).user).toBeLessThan(200_000);
  });

  it('reads a message of 100 KB of opening brackets quickly', async () => {
    const startedAt = process.cpuUsage();
    await ask('['.repeat(100_000));
    await ask('[[a'.repeat(33_000));
    await ask(`[[tool:${' '.repeat(100_000)}`);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(1_000_000);
  });
});
