import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { type Behaviour, framesOf, sendsRaw } from '@tollgate/testkit';
import { PATHS, ReplyWorld } from './support/reply-world.js';

const choice = (index: number | undefined, content: string, finish_reason: string | null = null): JsonObject => ({ ...(index === undefined ? {} : { index }), delta: { content }, message: { content }, finish_reason });
const USAGE = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };

/** An upstream that sends the chunks to a request with `stream`, and the whole choices to another. */
function sendsChoices(chunks: readonly (readonly JsonObject[])[], whole: readonly JsonObject[]): Behaviour {
  return (request) => {
    if (request.body['stream'] !== true) return sendsRaw(JSON.stringify({ choices: whole, usage: USAGE }), 'application/json')(request);
    return sendsRaw(framesOf([...chunks.map((choices) => ({ choices })), { choices: [], usage: USAGE }]).join(''))(request);
  };
}

let world: ReplyWorld;

beforeAll(async () => {
  world = await ReplyWorld.start();
});
afterAll(() => world.close());

describe.each(PATHS.filter(([, , kind]) => kind === 'openai'))('a %s client, %s, over an upstream of kind %s,', (_client, delivery, ...[kind, format]) => {
  it.each<[string, Behaviour]>([
    ['in chunks of their own', sendsChoices([[choice(0, 'A')], [choice(1, 'X')], [choice(0, 'B')], [choice(1, '', 'length')], [choice(0, '', 'stop')]], [choice(0, 'AB', 'stop'), choice(1, 'X', 'length')])],
    ['before it in the same chunk', sendsChoices([[choice(1, 'X'), choice(0, 'A')], [choice(1, 'Y', 'error'), choice(0, 'B', 'stop')]], [choice(1, 'X', 'error'), choice(0, 'AB', 'stop')])],
    ['beside one without an index', sendsChoices([[choice(1, 'X'), choice(undefined, 'A')], [choice(undefined, 'B', 'stop')]], [choice(2, 'X', 'length'), choice(undefined, 'AB', 'stop')])],
  ])('gets only the choice with index 0 if others come %s', async (_where, behaviour) => {
    world.script(`lonely-${kind}`, behaviour);
    expect(await world.ask(format, delivery, `lonely-${kind}`)).toMatchObject({ status: 200, text: 'AB', error: null, charged: { output: 2 }, record: { reason: 'completed' } });
  });

  it('gets no output if the upstream sends only a choice with index 1', async () => {
    world.script(`lonely-${kind}`, sendsChoices([[choice(1, 'X', 'stop')]], [choice(1, 'X', 'stop')]));
    expect(await world.ask(format, delivery, `lonely-${kind}`)).toMatchObject({ status: 503, charged: { debited: '0' } });
  });
});
