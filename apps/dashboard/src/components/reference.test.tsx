import { renderPage, installDocument } from '../test-support/render-page';
import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { Reference } from './reference';

installDocument();

const CASES = [
  ['the payment itself', 'stripe:pay_1', 'Payment'],
  ['a refund', 'stripe:pay_1:refund:re_3QabcdefghijklmnopA', 'Payment, refund re_3Qabc…lmnopA'],
  ['a refund that failed', 'stripe:pay_1:refund:re_2:failed', 'Payment, failed refund re_2'],
  ['a dispute', 'stripe:pay_1:dispute:dp_3', 'Payment, dispute dp_3'],
  ['a dispute that was won', 'stripe:pay_1:dispute:dp_3:won', 'Payment, won dispute dp_3'],
] as const;

it.each(CASES)('a reference of a payment links to the payment and names %s', async (_of, reference, text) => {
  const { container } = await renderPage(<Reference reference={reference} />);
  expect(container.textContent).toContain(text);
  expect(screen.getByRole('link', { name: 'Payment' }).getAttribute('href')).toBe('/dashboard/billing/payments/pay_1');
});

it('a reference that names no payment is shown unchanged', async () => {
  const { container } = await renderPage(<Reference reference="shop:order_1:refund" />);
  expect([screen.queryByRole('link'), container.textContent?.includes('shop:order_1:refund')]).toEqual([null, true]);
});
