import { NOTIFIED_EVENTS } from '@tollgate/adapters-stripe';
import { expect, test } from '@jest/globals';
import { readDocument } from './documents.js';

test('payments.md lists the events of the endpoint at Stripe', () => {
  const [, block = ''] = /<!-- tested: payment-events -->\s+```text\n([\s\S]*?)```/.exec(readDocument('docs/payments.md').text) ?? [];
  expect(block.trim().split(/\s+/)).toEqual(NOTIFIED_EVENTS);
});
