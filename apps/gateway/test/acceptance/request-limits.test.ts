import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { DEFAULT_REQUEST_LIMITS, type JsonObject, MILLISECONDS_PER_HOUR, type RequestLimits, SYSTEM_ACTOR } from '@tollgate/core';
import type { Environment } from '@tollgate/adapters-config';
import { ManualClock } from '@tollgate/adapters-memory';
import { replies } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { TEST_PLAN, testCatalogue } from '../../src/test-support/test-catalogue.js';
import { addPerson, TestBrowser } from '../../src/test-support/test-browser.js';
import { AcceptanceWorld } from './support/acceptance-world.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

const MODEL = 'small';

const turnsOf = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `turn ${index}` }));

const chatTools = (count: number): readonly JsonObject[] => Array.from({ length: count }, (_, index) => ({ type: 'function', function: { name: `tool_${index}` } }));
const messagesTools = (count: number): readonly JsonObject[] => Array.from({ length: count }, (_, index) => ({ name: `tool_${index}`, input_schema: { type: 'object' } }));
const responsesTools = (count: number): readonly JsonObject[] => Array.from({ length: count }, (_, index) => ({ type: 'function', name: `tool_${index}` }));

/** The endpoint of a format, its conversation field, and the default limit of that field. */
interface Reader {
  readonly path: string;
  readonly field: 'messages' | 'input';
  readonly noun: string;
  readonly most: number;
  readonly more: JsonObject;
  readonly tools: (count: number) => readonly JsonObject[];
}

const MESSAGES = { field: 'messages', noun: 'messages', most: 200 } as const;
const ITEMS = { field: 'input', noun: 'items', most: 2_000, tools: responsesTools, more: { store: false } } as const;
const READERS = [
  { path: '/v1/chat/completions', ...MESSAGES, tools: chatTools, more: {} },
  { path: '/v1/messages', ...MESSAGES, tools: messagesTools, more: { max_tokens: 10 } },
  { path: '/v1/messages/count_tokens', ...MESSAGES, tools: messagesTools, more: {} },
  { path: '/v1/responses', ...ITEMS },
  { path: '/v1/responses/input_tokens', ...ITEMS },
] as const satisfies readonly Reader[];

const bodyOf = ({ field, more }: Reader, turns: number, fields: JsonObject = {}): JsonObject => ({ model: MODEL, [field]: turnsOf(turns), ...more, ...fields });

interface Answer {
  readonly status: number;
  readonly message: string | null;
}

async function answerOf(reply: Response): Promise<Answer> {
  const { error } = await reply.json() as { readonly error?: { readonly message: string } };
  return { status: reply.status, message: error?.message ?? null };
}

const SERVED: Answer = { status: 200, message: null };
const refusal = (field: string, most: number, noun: string, count: number): Answer =>
  ({ status: 400, message: `'${field}' must have at most ${most} ${noun}, but has ${count}. The operator of this gateway can raise this limit.` });

describe('a gateway with request limits in its settings', () => {
  const clock = new ManualClock();
  let world: AcceptanceWorld;
  afterEach(() => world.close());

  async function start(given: { readonly requestLimits?: JsonObject | null; readonly environment?: Environment }): Promise<void> {
    const { requestLimits } = given;
    world = await AcceptanceWorld.start({
      services: { clock },
      upstream: { models: [{ id: MODEL, object: 'model' }] },
      ...(requestLimits === undefined
        ? { environment: ({ baseUrl }) => ({ UPSTREAM_BASE_URL: baseUrl, ...given.environment }) }
        : { catalogue: (upstream) => contentWith(requestLimits, upstream), planId: 'ample', environment: () => given.environment ?? {} }),
    });
    world.upstream.always('*', replies({ text: 'Served.' }));
  }

  function contentWith(requestLimits: JsonObject | null, upstream: AcceptanceWorld['upstream']): JsonObject {
    const content = catalogueFile({ scripted: scriptedEntry(upstream) }, { [MODEL]: modelEntry(MODEL) }, { ample: { ...AMPLE_PLAN, max_context_tokens: 128_000 } });
    return requestLimits === null ? content : { ...content, request_limits: requestLimits };
  }

  const answersTo = (turns: (reader: Reader) => number): Promise<readonly Answer[]> =>
    Promise.all(READERS.map(async (reader) => answerOf(await world.post(reader.path, bodyOf(reader, turns(reader))))));

  it('refuses more messages than the default limit, and names that limit', async () => {
    await start({ requestLimits: null });
    expect(await answersTo(({ most }) => most)).toEqual(READERS.map(() => SERVED));
    expect(await answersTo(({ most }) => most + 1)).toEqual(READERS.map(({ field, noun, most }) => refusal(field, most, noun, most + 1)));
  });

  it('serves as many messages and tools as request_limits allow, and forwards all of them', async () => {
    await start({ requestLimits: { messages: 1_000, tools: '1_000', stop_sequences: 20 } });
    expect(await answersTo(({ most }) => Math.max(most, 1_000))).toEqual(READERS.map(() => SERVED));
    expect(await answersTo(({ most }) => Math.max(most, 1_000) + 1)).toEqual(
      READERS.map(({ field, noun, most }) => refusal(field, Math.max(most, 1_000), noun, Math.max(most, 1_000) + 1)),
    );
    const tooled = (count: number): Promise<readonly Answer[]> =>
      Promise.all(READERS.map(async (reader) => answerOf(await world.post(reader.path, bodyOf(reader, 1, { tools: reader.tools(count) })))));
    expect(await tooled(1_000)).toEqual(READERS.map(() => SERVED));
    expect((await tooled(1_001)).map(({ message }) => message)).toEqual(READERS.map(() => expect.stringMatching(/^'tools' must have at most 1000 tools( in all)?, but has 1001\. The operator/)));
    const calls = world.upstream.requests.map(({ body }) => body as { readonly messages?: readonly unknown[]; readonly tools?: readonly unknown[] });
    expect([Math.max(...calls.map(({ messages = [] }) => messages.length)), Math.max(...calls.map(({ tools = [] }) => tools.length))]).toEqual([2_000, 1_000]);
  });

  it('allows more than 2,000 items in the responses format if the catalogue file allows more messages', async () => {
    await start({ requestLimits: { messages: 2_500 } });
    expect(await answersTo(() => 2_500)).toEqual(READERS.map(() => SERVED));
    expect(await answersTo(() => 2_501)).toEqual(READERS.map(({ field, noun }) => refusal(field, 2_500, noun, 2_501)));
  });

  it('uses MAX_MESSAGES and MAX_TOOLS without a catalogue file', async () => {
    await start({ environment: { MAX_MESSAGES: '300', MAX_TOOLS: '129' } });
    const reader = READERS[1];
    const answer = async (turns: number, tools: number): Promise<Answer> => {
      return answerOf(await world.post(reader.path, bodyOf(reader, turns, { tools: reader.tools(tools) })));
    };
    expect([await answer(300, 129), await answer(301, 1), await answer(1, 130)]).toEqual([SERVED, refusal('messages', 300, 'messages', 301), refusal('tools', 129, 'tools', 130)]);
  });

  it('uses request_limits of the catalogue file instead of MAX_MESSAGES, and reloads them without a restart', async () => {
    await start({ requestLimits: null, environment: { MAX_MESSAGES: '1000' } });
    const reader = READERS[1];
    const answer = async (turns: number): Promise<Answer> => answerOf(await world.post(reader.path, bodyOf(reader, turns)));
    expect(await answer(201)).toEqual(refusal('messages', 200, 'messages', 201));
    const reload = (limits: JsonObject | null): void => {
      writeFileSync(join(dirname(world.database), 'catalog.yaml'), JSON.stringify(contentWith(limits, world.upstream)));
      clock.advance(2_000);
    };
    reload({ messages: 1_000 });
    expect([await answer(1_000), await answer(1_001)]).toEqual([SERVED, refusal('messages', 1_000, 'messages', 1_001)]);
    reload(null);
    expect(await answer(1_000)).toEqual(refusal('messages', 200, 'messages', 1_000));
  });
});

describe('a gateway whose request limits are replaced while it runs', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.close());

  async function start(limits: Partial<RequestLimits>): Promise<void> {
    gateway = await startTestGateway({ services: {} });
    set(limits);
  }

  const set = (limits: Partial<RequestLimits>): void =>
    gateway.parts.catalogue.replace({ ...testCatalogue(), requestLimits: { ...DEFAULT_REQUEST_LIMITS, ...limits } });

  const postTo = async (path: string, fields: JsonObject): Promise<Answer> =>
    answerOf(await gateway.post(path, { model: 'small', max_tokens: 5, messages: turnsOf(1), input: turnsOf(1), ...fields }));

  it('limits the number of stop sequences, and the characters of text in each message, instruction and tool result', async () => {
    await start({ messageCharacters: 5, stopSequences: 1 });
    const said = (content: unknown): JsonObject => ({ messages: [{ role: 'user', content }], input: [{ role: 'user', content }] } as JsonObject);
    const place = { chat: 'messages[0].content', items: 'input[0].content' };
    expect(await Promise.all(READERS.map(({ path }) => postTo(path, said('12345'))))).toEqual(READERS.map(() => SERVED));
    expect(await Promise.all(READERS.map(({ path }) => postTo(path, said('123456'))))).toEqual(
      READERS.map(({ field }) => refusal(field === 'messages' ? place.chat : place.items, 5, 'characters of text', 6)),
    );
    const responses = READERS[3];
    expect(await postTo(responses.path, { input: '123456' })).toEqual(refusal('input', 5, 'characters of text', 6));
    expect(await postTo(responses.path, { ...said('1'), instructions: '123456' })).toEqual(refusal('instructions', 5, 'characters of text', 6));
    const called = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
    expect(await postTo(responses.path, { input: [called, { type: 'function_call_output', call_id: 'c', output: '123456' }] })).toEqual(refusal('input[1].output', 5, 'characters of text', 6));
    expect(await postTo('/v1/chat/completions', { ...said('1'), stop: ['a', 'b'] })).toEqual(refusal('stop', 1, 'stop sequences', 2));
    expect(await postTo('/v1/messages', { ...said('1'), stop_sequences: ['a', 'b'] })).toEqual(refusal('stop_sequences', 1, 'stop sequences', 2));
  });

  it('applies the current limits to a list of tools that it has parsed before', async () => {
    await start({ tools: 4 });
    const tools = (reader: Reader): JsonObject => ({ tools: reader.tools(4).map((tool) => ({ ...tool, description: 'd'.repeat(1_000) })) });
    // From the second request on, the parser returns the same list object.
    for (let times = 0; times < 3; times += 1) expect(await Promise.all(READERS.map((reader) => postTo(reader.path, tools(reader))))).toEqual(READERS.map(() => SERVED));
    set({ tools: 3 });
    expect((await Promise.all(READERS.map((reader) => postTo(reader.path, tools(reader))))).map(({ status }) => status)).toEqual(READERS.map(() => 400));
    set({ tools: 4 });
    expect(await Promise.all(READERS.map((reader) => postTo(reader.path, tools(reader))))).toEqual(READERS.map(() => SERVED));
  });

  it('applies the current limits in the playground too', async () => {
    await start({});
    const { person, password } = await addPerson(gateway.gateway, 'ann@example.com');
    const browser = new TestBrowser(gateway.gateway);
    await browser.call(contract.signIn, { body: { email: person.email, password } });
    if (person.accountId !== null) await gateway.gateway.accountAdministration.change(person.accountId, { planId: TEST_PLAN }, SYSTEM_ACTOR);
    const body = { model: 'small', max_tokens: 5, messages: turnsOf(201) };
    const estimate = async (): Promise<number> => (await browser.call(contract.countPlayground, { query: { format: 'messages' }, body })).status;
    expect(await estimate()).toBe(400);
    set({ messages: 201 });
    expect(await estimate()).toBe(200);
  });

  it('logs at most once an hour which setting can raise a limit that requests exceed', async () => {
    await start({});
    const lines = () => gateway.parts.logged.filter(({ raisedBy }) => raisedBy !== undefined).map(({ level, count, limit, raisedBy }) => ({ level, count, limit, raisedBy }));
    const raisedBy = 'request_limits.messages in the catalogue file, or MAX_MESSAGES without such a file';
    for (let times = 0; times < 3; times += 1) await postTo('/v1/messages', { messages: turnsOf(201) });
    expect(lines()).toEqual([{ level: 40, count: 1, limit: 200, raisedBy }]);
    gateway.clock.advance(MILLISECONDS_PER_HOUR);
    await postTo('/v1/chat/completions', { messages: turnsOf(201) });
    expect(lines().slice(1)).toEqual([{ level: 40, count: 3, limit: 200, raisedBy }]);
    await postTo('/v1/responses', { tools: responsesTools(129) });
    expect(lines().slice(2)).toEqual([{ level: 40, count: 1, limit: 128, raisedBy: 'request_limits.tools in the catalogue file, or MAX_TOOLS without such a file' }]);
  });
});
