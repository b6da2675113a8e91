import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { JsonObject } from '@tollgate/core';
import { replies, sendsRaw } from '@tollgate/testkit';
import { UpstreamWorld } from '../support/upstream-world.js';

let world: UpstreamWorld;
beforeEach(async () => {
  world = await UpstreamWorld.start([{ kind: 'openai' }], {}, { estimator: new LinearTokenEstimator() });
});
afterEach(() => world.close());

const QUESTION = { role: 'user', content: 'Hi' };

function signed(...signatures: readonly string[]): JsonObject {
  const thinking = signatures.map((signature) => ({ type: 'thinking', thinking: '', signature }));
  return { messages: [QUESTION, { role: 'assistant', content: [...thinking, { type: 'text', text: 'Hello' }] }, QUESTION] };
}

function sentTurn(): JsonObject | undefined {
  return (world.upstream().requests.at(-1)?.body['messages'] as readonly JsonObject[] | undefined)?.find(({ role }) => role === 'assistant');
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

describe('opaque data that a client sends', () => {
  it('is omitted if it is nested more deeply than a request may be, and the request is served', async () => {
    world.upstream().script('u0', replies({ text: 'Once' }));
    expect(await world.ask('messages', signed(`tollgate.message-extra.${nested(100_000)}`, `tollgate.reasoning-details.[${nested(57)}]`))).toContain('Once');
    expect(sentTurn()).toEqual({ role: 'assistant', content: 'Hello' });
    await world.ask('messages', signed(`tollgate.message-extra.${nested(56)}`));
    expect(sentTurn()).toMatchObject({ extra_content: JSON.parse(nested(56)) as JsonObject });
  });

  it('is omitted if it is not an object', async () => {
    await world.ask('messages', signed('tollgate.message-extra.1', 'tollgate.call-extra."x"', 'tollgate.reasoning-details.[1,"x",{"a":1},null]'));
    expect(sentTurn()).toEqual({ role: 'assistant', content: 'Hello', reasoning_details: [{ a: 1 }] });
  });

  it('is forwarded completely and in order, even in thousands of pieces', async () => {
    const details = (at: number) => Array.from({ length: 25 }, (_, index) => ({ at: 25 * at + index }));
    await world.ask('messages', signed(...Array.from({ length: 4_000 }, (_, at) => `tollgate.reasoning-details.${JSON.stringify(details(at))}`)));
    const sent = (sentTurn()?.['reasoning_details'] ?? []) as readonly JsonObject[];
    expect([sent.length, sent.every(({ at }, index) => at === index)]).toEqual([100_000, true]);
  });

  const WORDS = 'Once upon a time there was a king. '.repeat(2_000);
  const REPORT = { prompt_tokens: 18_000, completion_tokens: 2, total_tokens: 18_002 };

  it.each<[string, 'chat' | 'messages', JsonObject]>([
    ['details of a chat client', 'chat', { messages: [QUESTION, { role: 'assistant', content: 'Hello', reasoning_details: [{ type: 'reasoning.text', text: WORDS }] }, QUESTION] }],
    ['extra content of a chat client', 'chat', { messages: [QUESTION, { role: 'assistant', content: 'Hello', extra_content: { a: [WORDS] } }, QUESTION] }],
    ['a signature of a messages client', 'messages', signed(`tollgate.reasoning-details.${JSON.stringify([{ type: 'reasoning.summary', summary: WORDS }])}`)],
  ])('is charged as the upstream counts it in the prompt: %s', async (_what, format, body) => {
    world.upstream().script('u0', replies({ text: 'Once', usage: REPORT }));
    await world.ask(format, body);
    expect((await world.usage())[0]).toMatchObject({ usage_source: 'reported', usage: { prompt_tokens: 18_000 } });
  });

  it('counts as prompt tokens, except for parts that the server encrypted or signed', async () => {
    const counted = async (detail: JsonObject): Promise<number> => {
      world.upstream().script('u0', replies({ text: 'Once', usagePlace: 'nowhere' }));
      await world.ask('chat', { messages: [QUESTION, { role: 'assistant', content: 'Hello', reasoning_content: WORDS.slice(0, 1_000), reasoning_details: [detail] }, QUESTION] });
      return (await world.usage())[0]?.usage['prompt_tokens'] as number;
    };
    const without = await counted({ type: 'reasoning.encrypted', data: WORDS, signature: WORDS });
    expect(without).toBeLessThan(400);
    expect(await counted({ type: 'reasoning.text', text: WORDS })).toBeGreaterThan(10_000);
    // The same words are in the field that shows them and in the one that returns them; they count once.
    expect(await counted({ type: 'reasoning.text', text: WORDS.slice(0, 1_000) })).toBe(without);
  });
});

describe('opaque data that a server sends', () => {
  const OVERSIZE: readonly JsonObject[] = [
    { extra_content: JSON.parse(nested(57)) as JsonObject },
    { reasoning_details: Array.from({ length: 5_000 }, () => ({ type: 'a' })) },
    { content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' }, extra_content: JSON.parse(nested(57)) as JsonObject }] },
  ];
  const LARGEST: JsonObject = { extra_content: JSON.parse(nested(56)) as JsonObject, reasoning_details: Array.from({ length: 4_000 }, () => ({ type: 'a' })) };

  async function broughtBack(fields: JsonObject): Promise<JsonObject | undefined> {
    world.upstream().script('u0', sendsRaw(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hello', ...fields }, finish_reason: 'stop' }] }), 'application/json'));
    const { choices: [choice] } = JSON.parse(await world.ask('chat', { messages: [QUESTION] })) as { readonly choices: readonly [{ readonly message: JsonObject }] };
    const results = choice.message['tool_calls'] === undefined ? [] : [{ role: 'tool', tool_call_id: 'c', content: 'Blue.' }];
    await world.ask('chat', { messages: [QUESTION, choice.message, ...results, QUESTION] });
    return sentTurn();
  }

  it('is withheld from clients if a request could not return it, so that the conversation can continue', async () => {
    for (const fields of OVERSIZE) {
      const sent = await broughtBack(fields);
      expect(sent).toMatchObject({ role: 'assistant' });
      expect(JSON.stringify(sent)).not.toMatch(/extra_content|reasoning_details/);
    }
  });

  it('is sent to clients if a request can return it', async () => {
    expect(await broughtBack(LARGEST)).toMatchObject(LARGEST);
  });
});
