import { afterEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { answersStatus, type Behaviour, replies, until } from '@tollgate/testkit';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, KINDS, type Kind, UpstreamWorld } from './support/upstream-world.js';

let world: UpstreamWorld;
afterEach(() => world.close());

const SCHEMA = { type: 'object', properties: {} };
const TURN = { role: 'user', content: 'Hi' };

/** Requests for high reasoning effort, by format. */
const HIGH: Readonly<Record<ClientFormat, JsonObject>> = {
  chat: { messages: [TURN], reasoning_effort: 'high' },
  messages: { messages: [TURN], thinking: { type: 'enabled', budget_tokens: 2_000 }, output_config: { effort: 'high' } },
  responses: { input: [TURN], reasoning: { effort: 'high' } },
};

const TOOLS: Readonly<Record<ClientFormat, JsonObject>> = {
  chat: { tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }] },
  messages: { tools: [{ name: 'look', input_schema: SCHEMA }] },
  responses: { tools: [{ type: 'function', name: 'look', parameters: SCHEMA }] },
};

/** Name of the reasoning field, by kind of upstream. */
const FIELDS: Readonly<Record<Kind, string>> = { openai: 'reasoning_effort', anthropic: 'thinking', responses: 'reasoning' };

const PAIRS = KINDS.flatMap((kind) => CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [kind, format, stream] as const)));

describe.each(PAIRS)('the gateway between an upstream of kind %s and a client of the %s format, streamed: %p,', (kind, format, stream) => {
  const field = FIELDS[kind];
  const sent = () => world.upstream().requests.map(({ body }) => (body[field] === undefined ? 'without' : 'with'));
  const refusedWith = (other: string): Behaviour => (request) =>
    (request.body[field] !== undefined && (other === '' || request.body[other] !== undefined) ? answersStatus(400) : replies({ text: 'a' }))(request);
  const asked = async (body: JsonObject, key?: string) => {
    expect(await world.ask(format, { ...body, stream }, key)).toContain('a');
    await new Promise((resolve) => { setImmediate(resolve); });
  };

  it('keeps sending a reasoning setting that was refused only together with tools', async () => {
    world = await UpstreamWorld.start([{ kind }]);
    world.upstream().always('*', refusedWith('tools'));
    const other = await world.gateway.addCaller('other');
    await asked({ ...HIGH[format], ...TOOLS[format] });
    // The third request is the gateway's own, which is not refused.
    await world.upstream().request(2);
    await asked(HIGH[format], other.key);
    expect(sent()).toEqual(['with', 'without', 'with', 'with']);
    expect(world.upstream().requests[2]?.body['tools']).toBeUndefined();
    expect((await world.usage()).map(({ usage }) => usage['reasoning_omitted'])).toEqual([true]);
    expect((await world.usage(other.key)).map(({ usage }) => usage['reasoning_omitted'])).toEqual([false]);
  });

  it('omits a reasoning setting that the upstream refuses in the gateway’s probe too, and every usage record says so', async () => {
    world = await UpstreamWorld.start([{ kind }]);
    world.upstream().always('*', refusedWith(''));
    const other = await world.gateway.addCaller('other');
    await asked(HIGH[format]);
    await world.upstream().request(3);
    await until(async () => {
      await asked(HIGH[format], other.key);
      return sent().at(-2) === 'without';
    });
    expect(sent().slice(0, 4)).toEqual(['with', 'without', 'with', 'without']);
    for (const { usage } of [...await world.usage(), ...await world.usage(other.key)]) expect(usage).toMatchObject({ reasoning_omitted: true });
  });
});

/** A conversation with signed thinking, in the messages format. */
const HISTORY: JsonObject = {
  messages: [
    TURN,
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 'of-another-installation' }, { type: 'text', text: 'Hello' }] },
    TURN,
  ],
};

describe.each(KINDS.flatMap((kind) => DELIVERIES.map((stream) => [kind, stream] as const)))(
  'an upstream of kind %s that refuses the thinking of an earlier turn, streamed: %p,', (kind, stream) => {
    it.each([['with thinking', HIGH.messages], ['without', {}]])('is called again without thinking blocks and reasoning field, each time that it refuses them (%s)', async (_what, fields) => {
      world = await UpstreamWorld.start([{ kind, options: { reasoningReplay: 'sent' } }]);
      const refusing: Behaviour = (request) => (request.rawBody.includes('Hm.')
        ? answersStatus(400, { error: { message: 'messages.1.content.0: Invalid `signature` in `thinking` block' } })
        : replies({ text: 'a' }))(request);
      world.upstream().always('*', refusing);
      for (let time = 0; time < 2; time += 1) expect(await world.ask('messages', { ...fields, ...HISTORY, stream })).toContain('a');
      const bodies = world.upstream().requests.map(({ body, rawBody }) => [body[FIELDS[kind]] !== undefined, rawBody.includes('Hm.')]);
      expect(bodies).toEqual([[true, true], [false, false], [true, true], [false, false]]);
      expect((await world.usage()).map(({ usage }) => usage['reasoning_omitted'])).toEqual([true, true]);
    });
  },
);
