import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replies, type ScriptedReply } from '@tollgate/testkit';
import { CHAT } from '../acceptance/support/formats.js';
import { PATHS, ReplyWorld } from './support/reply-world.js';

const EMPTY: ScriptedReply = { text: '', usage: { prompt_tokens: 12, completion_tokens: 0, total_tokens: 12 } };
const SERVED = { status: 200, text: 'Hello from up-backup.', record: { reason: 'completed', service: { servedBy: 'backup', fallbackUsed: true } } };

let world: ReplyWorld;

beforeAll(async () => {
  world = await ReplyWorld.start();
});
afterAll(() => world.close());

describe.each(PATHS)('a %s client, %s, over an upstream of kind %s,', (_client, delivery, ...[kind, format]) => {
  it.each<[string, ScriptedReply]>([
    ['reports no output', EMPTY], ['reports no usage', { ...EMPTY, usagePlace: 'nowhere' }], ['has no text at all', { usage: EMPTY.usage ?? {} }],
  ])('is served by the fallback instead of an empty reply that %s', async (_what, reply) => {
    world.script(kind, replies(reply));
    expect(await world.ask(format, delivery, kind)).toMatchObject(SERVED);
  });

  it('gets the empty reply if there is no fallback, recorded with the reported usage and the end reason "empty"', async () => {
    world.script(`lonely-${kind}`, replies(EMPTY));
    // 12 prompt tokens at 0.001 each.
    const answer = await world.ask(format, delivery, `lonely-${kind}`);
    expect(answer).toMatchObject({ status: 200, text: '', error: null, charged: { debited: '0.012', prompt: 12, output: 0 }, record: { reason: 'empty', usage: { source: 'reported' } } });
  });

  it.each<[string, ScriptedReply]>([
    ['reports output, although it has no text', { text: '', usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } }],
    ['reached its maximum', { ...EMPTY, finishReason: 'length' }], ['was ended by a filter', { ...EMPTY, finishReason: 'content_filter' }],
    ['has only white space', { text: ' ' }], ['has only a call', { toolCalls: [{ id: 'c1', name: 'f', arguments: '' }] }],
  ])('gets the first model’s reply, not the fallback’s, if it %s', async (_what, reply) => {
    world.script(kind, replies(reply));
    expect(await world.ask(format, delivery, kind)).toMatchObject({ status: 200, record: { reason: 'completed', service: { servedBy: kind } } });
  });
});

it('the usage records of empty replies have the end reason "empty", and can be filtered by it', async () => {
  world.script('lonely-openai', replies(EMPTY));
  await world.ask(CHAT, 'whole', 'lonely-openai');
  const { data } = (await world.world.get('/v1/usage?end_reason=empty&limit=100')) as { readonly data: readonly { readonly end_reason: string }[] };
  expect(new Set(data.map(({ end_reason: reason }) => reason))).toEqual(new Set(['empty']));
});

it('a client gets an error without charge if the fallback of an empty reply fails too', async () => {
  world.script('openai', replies(EMPTY));
  world.script('backup', replies({ finishReason: 'error' }));
  expect(await world.ask(CHAT, 'whole', 'openai')).toMatchObject({ status: 503, error: 'provider_unavailable', charged: { debited: '0' }, record: { reason: 'provider_unavailable' } });
});
