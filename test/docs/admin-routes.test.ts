import { adminContract, type AdminRoute } from '@tollgate/api-contract';
import { expect, test } from '@jest/globals';
import { readDocument, tableRows } from './documents.js';

const ROUTES: readonly AdminRoute[] = Object.values(adminContract);

test('shop.md lists every route for machines with its scope', () => {
  const listed = tableRows(readDocument('docs/shop.md'), 'admin-routes').map(([route, scope]) => [route, scope]);
  expect(listed).toEqual(ROUTES.map(({ method, path, access }) => [`${method.toUpperCase()} ${path}`, access]));
});
