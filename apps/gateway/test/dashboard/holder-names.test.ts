import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addSignedIn } from '../../src/test-support/test-browser.js';

let running: TestGateway;

beforeAll(async () => {
  running = await startTestGateway();
});
afterAll(() => running.close());

it('operators look up names of accounts and people by id; owners get 404, as for an unknown path', async () => {
  const [ann, olga] = [await addSignedIn(running.gateway, 'ann@example.com'), await addSignedIn(running.gateway, 'olga@example.com', 'operator')];
  const { id, accountId, name } = ann.person;
  const ids = `${accountId ?? ''},${id},${id},acct_none,person_none`;
  expect((await olga.browser.call(contract.nameHolders, { query: { ids } })).body).toEqual({
    object: 'list', has_more: false,
    data: [{ id: accountId, object: 'holder_name', name, email: 'ann@example.com' }, { id, object: 'holder_name', name, email: 'ann@example.com' }],
  });
  expect((await ann.browser.call(contract.nameHolders, { query: { ids } })).status).toBe(404);
});

it('one request looks up the names of at most 100 ids', async () => {
  const { browser } = await addSignedIn(running.gateway, 'otto@example.com', 'operator');
  const ids = (count: number) => Array.from({ length: count }, (_, place) => `acct_${place}`).join(',');
  expect([(await browser.call(contract.nameHolders, { query: { ids: ids(100) } })).status, (await browser.call(contract.nameHolders, { query: { ids: ids(101) } })).status]).toEqual([200, 400]);
});
