import { expect, test } from '@jest/globals';
import { EVENT_TYPES } from '@tollgate/core';
import { readDocument, tableRows } from './documents.js';

test('shop.md lists every type of event', () => {
  expect(tableRows(readDocument('docs/shop.md'), 'event-types').map(([type]) => type)).toEqual([...EVENT_TYPES]);
});
