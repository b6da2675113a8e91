import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { SYSTEM_ACTOR } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addSignedIn, type PageReply, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;

beforeAll(async () => {
  running = await startTestGateway();
});
afterAll(() => running.close());

function namesIn({ body }: PageReply): readonly unknown[] {
  return (body['data'] as readonly { readonly name: string | null; readonly hint: string | null }[]).map(({ name, hint }) => name ?? hint ?? 'playground');
}

it('owners look up names of their own keys, also of revoked and playground keys; operators look up names of any key', async () => {
  const [ann, bob, olga] = [await addSignedIn(running.gateway, 'ann@example.com'), await addSignedIn(running.gateway, 'bob@example.com'), await addSignedIn(running.gateway, 'olga@example.com', 'operator')];
  const id = textOf(await ann.browser.call(contract.createKey, { body: { name: 'laptop' } }), 'id');
  await ann.browser.call(contract.revokeKey, { params: { id: id } });
  const playground = await running.parts.store.keys.createPlaygroundKey({ id: 'key_play' as never, accountId: ann.accountId, createdAt: running.clock.now() }, SYSTEM_ACTOR);
  const ids = `${id},${playground?.id ?? ''},key_none`;
  expect(namesIn(await ann.browser.call(contract.nameKeys, { query: { ids } }))).toEqual(['laptop', 'playground']);
  expect(namesIn(await bob.browser.call(contract.nameKeys, { query: { ids } }))).toEqual([]);
  expect(namesIn(await olga.browser.call(contract.nameAnyKeys, { query: { ids } }))).toEqual(['laptop', 'playground']);
  expect((await ann.browser.call(contract.nameAnyKeys, { query: { ids } })).status).toBe(404);
  expect(namesIn(await ann.browser.call(contract.findKeys, { query: { q: 'LAP' } }))).toEqual(['laptop']);
  expect(namesIn(await bob.browser.call(contract.findKeys))).toEqual([]);
  expect(namesIn(await olga.browser.call(contract.findAnyKeys, { query: { q: 'LAP' } }))).toEqual(['laptop']);
  expect(namesIn(await olga.browser.call(contract.findAnyKeys, { query: { account: ann.accountId } }))).toEqual(['laptop']);
  expect(namesIn(await olga.browser.call(contract.findAnyKeys, { query: { q: 'lap', account: bob.accountId } }))).toEqual([]);
  expect((await ann.browser.call(contract.findAnyKeys, { query: { q: 'lap' } })).status).toBe(404);
});

it('one request looks up the names of at most 100 ids', async () => {
  const { browser } = await addSignedIn(running.gateway, 'cem@example.com');
  const ids = (count: number) => Array.from({ length: count }, (_, place) => `key_${place}`).join(',');
  expect([(await browser.call(contract.nameKeys, { query: { ids: ids(100) } })).status, (await browser.call(contract.nameKeys, { query: { ids: ids(101) } })).status]).toEqual([200, 400]);
});
