import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Behaviour, replies } from '@tollgate/testkit';
import { CHAT } from '../acceptance/support/formats.js';
import { KINDS, PATHS, ReplyWorld } from './support/reply-world.js';

const EMPTY = ['null', ': PROCESSING', '{"error":{}}', '{"error":{"message":"","code":null}}', '{}', '{"type":"error","error":{"type":"error"}}', '{"object":"error","message":"","code":0}'];
const PER_STREAM = 2 * EMPTY.length;

/** An upstream that sends empty events before the first frame and after the second. */
function repliesAmongEmptyEvents(): Behaviour {
  const reply = replies({ text: ['Once ', 'upon'] });
  const empty = { type: 'write' as const, bytes: Buffer.from(EMPTY.map((data) => `data: ${data}\n\n`).join('')) };
  return (request) => {
    const [headers, first, second, ...rest] = reply(request);
    return [headers, empty, first, second, empty, ...rest].filter((step) => step !== undefined);
  };
}

let world: ReplyWorld;

beforeAll(async () => {
  world = await ReplyWorld.start();
});
afterAll(() => world.close());

describe.each(PATHS.filter(([, delivery]) => delivery === 'stream'))('a %s client, %s, over an upstream of kind %s,', (_client, delivery, ...[kind, format]) => {
  it('gets the whole reply if the upstream sends events without content', async () => {
    world.script(`lonely-${kind}`, repliesAmongEmptyEvents());
    expect(await world.ask(format, delivery, `lonely-${kind}`)).toMatchObject({ status: 200, text: 'Once upon', error: null, record: { reason: 'completed', usage: { source: 'reported' } } });
  });
});

it('events without content are counted by upstream and model', async () => {
  expect([...await world.samplesOf('tollgate_upstream_empty_events_total{')].toSorted()).toEqual(
    KINDS.toSorted().map((kind) => `tollgate_upstream_empty_events_total{upstream="${kind}",model="lonely-${kind}"} ${3 * PER_STREAM}`),
  );
});

it('an event with an error object counts as an error, not as an event without content', async () => {
  world.script('lonely-openai', (request) => [...replies({ text: 'a' })(request).slice(0, 1), { type: 'write', bytes: Buffer.from('data: {"error":{"message":"","type":"overloaded_error"}}\n\n') }, { type: 'end' }]);
  expect(await world.ask(CHAT, 'stream', 'lonely-openai')).toMatchObject({ status: 503, charged: { debited: '0' } });
});
