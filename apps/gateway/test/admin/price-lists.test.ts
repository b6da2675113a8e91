import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { NO_AUDIT_FILTERS, parsePriceFactor, type PriceListId } from '@tollgate/core';
import { services } from '../../src/composition/services.js';
import { testCatalogue } from '../../src/test-support/test-catalogue.js';
import { type AdminHeaders, AdminWorld, GRANTED_SCOPES } from './admin-world.js';

let world: AdminWorld;
let headers: AdminHeaders;
let path: string;
beforeEach(async () => {
  world = await AdminWorld.start();
  world.gateway.parts.catalogue.replace({
    ...testCatalogue(), priceLists: [{ id: 'partners' as PriceListId, name: 'Partners', entries: [{ from: null, factor: parsePriceFactor('0.8'), rates: new Map() }] }],
  });
  headers = await world.headersOf(GRANTED_SCOPES);
  path = `/accounts/${world.gateway.caller.account.id}`;
});
afterEach(() => world.close());

it('a machine gives an account a price list, which is audited, and takes it away again', async () => {
  expect((await world.call('/price-lists', headers)).body).toMatchObject({ data: [{ id: 'partners', name: 'Partners', entries: [{ from: null, factor: '0.8', models: [] }] }] });
  const change = (list: string | null) => world.call(path, headers, { method: 'PATCH', body: { price_list: list } });
  expect((await change('partners')).body).toMatchObject({ price_list: 'partners' });
  expect((await world.call(path, headers)).body).toMatchObject({ price_list: 'partners', price_list_in_force: 'partners' });
  const trail = await world.gateway.gateway.container.get(services.auditTrail).list({ ...NO_AUDIT_FILTERS, limit: 1, cursor: null });
  expect(trail?.records).toMatchObject([{ action: 'account.changed', details: { priceList: 'partners' } }]);
  expect((await world.call('/events?type=account.changed', headers)).body['data']).toMatchObject([{ data: { changed: ['price_list'] } }]);
  world.gateway.parts.catalogue.replace(testCatalogue());
  expect((await world.call(path, headers)).body).toMatchObject({ price_list: 'partners', price_list_in_force: 'standard' });
  expect((await change(null)).body).toMatchObject({ price_list: null });
});

it('an unknown price list is refused, and the existing ones are named', async () => {
  const { status, body } = await world.call(path, headers, { method: 'PATCH', body: { price_list: 'gold' } });
  expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_request', param: 'price_list', message: 'price_list: must be one of partners, or null for the standard prices.' })]);
  expect((await world.call(path, headers)).body).toMatchObject({ price_list: null });
});
