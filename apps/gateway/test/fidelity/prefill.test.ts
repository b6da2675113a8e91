import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, UpstreamWorld } from '../support/upstream-world.js';

let world: UpstreamWorld;
beforeAll(async () => {
  world = await UpstreamWorld.start([{ kind: 'anthropic' }]);
});
afterAll(() => world.close());

/** A request body that ends with the beginning of a reply. */
const bodyOf = (beginning: string): Readonly<Record<ClientFormat, JsonObject>> => {
  const messages = [{ role: 'user', content: 'Tell me.' }, { role: 'assistant', content: beginning }];
  return { chat: { messages }, messages: { messages }, responses: { input: messages } };
};

const CASES = CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const));

it.each(CASES)('a prefilled reply loses its trailing white space for a messages server (%s, streamed: %p)', async (format, stream) => {
  for (const [beginning, sent] of [['Once upon \n', 'Once upon'], ['Once', 'Once'], ['  {\t', '  {']] as const) {
    await world.ask(format, { ...bodyOf(beginning)[format], stream });
    expect(world.upstream().requests.at(-1)?.body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Tell me.' }] }, { role: 'assistant', content: [{ type: 'text', text: sent }] },
    ]);
  }
});

it('a prefilled reply also loses white space that is followed only by parts that are not sent', async () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const content = [text('Once'), text('upon \n'), { type: 'thinking', thinking: '', signature: 'tollgate.message-extra.{"a":1}' }, text(' ')];
  await world.ask('messages', { messages: [{ role: 'user', content: 'Tell me.' }, { role: 'assistant', content }] });
  expect(world.upstream().requests.at(-1)?.body['messages']).toMatchObject([{ role: 'user' }, { role: 'assistant', content: [text('Once'), text('upon')] }]);
});
