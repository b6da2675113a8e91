import { expect, test } from '@jest/globals';
import { PAYMENT_STATES } from '@tollgate/core';
import { readDocument, tableRows } from './documents.js';

test('payments.md explains every state of a payment', () => {
  const explained = tableRows(readDocument('docs/payments.md'), 'payment-states').flatMap(([states = '']) => states.split(', '));
  expect(explained.toSorted()).toEqual([...PAYMENT_STATES].toSorted());
});
