import type { Locator, Page } from 'playwright-core';
import { dialog, shown } from '../driver/page-states.js';
import type { VouchersInUse } from './add-vouchers.js';
import { changed } from './replies.js';
import { ALL_LOOKS, type NamedState } from './state.js';

async function pressed(page: Page, button: string, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await dialog(page, name);
}

async function openVoucherForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Create vouchers', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Create vouchers' });
  await shown(form);
  return form;
}

async function submitEmptyVouchers(page: Page): Promise<void> {
  const form = await openVoucherForm(page);
  await form.getByLabel('Number of codes').fill('10001');
  await form.getByRole('button', { name: 'Create vouchers' }).click();
  await shown(form.getByText('Enter a whole number from 1 to 10,000.'));
}

async function createVouchers(page: Page): Promise<void> {
  const form = await openVoucherForm(page);
  await form.getByLabel('Name', { exact: true }).fill('picture');
  await form.getByLabel('Service tokens per redemption').fill('5');
  await form.getByLabel('Number of codes').fill('200');
  await form.getByRole('button', { name: 'Create vouchers' }).click();
  await dialog(page, /created$/);
}

async function redeem(page: Page, code: string, answer: string): Promise<void> {
  await pressed(page, 'Redeem a voucher', 'Redeem a voucher');
  await page.getByLabel('Voucher code').fill(code);
  await page.getByRole('button', { name: 'Redeem', exact: true }).click();
  await shown(page.getByText(answer));
}

/** States of the operators' pages about vouchers, and of the form in which owners redeem one. */
export function voucherStates({ batchId, code }: VouchersInUse): readonly NamedState[] {
  const path = '/operator/vouchers';
  return [
    { name: 'dialog-redeem-refused', viewer: 'scratch', changes: true, path: '/billing', act: (page) => redeem(page, '7K3QF-0A1BC-DEFGH-JKMN7', 'This code is not valid.') },
    // The first picture redeems the code; every later one shows the reply to a repeated redemption.
    { name: 'dialog-redeemed', viewer: 'scratch', changes: true, path: '/billing', act: (page) => redeem(page, code.toLowerCase(), 'service tokens were added') },
    { name: 'dialog-redeem', viewer: 'owner', path: '/billing', act: (page) => pressed(page, 'Redeem a voucher', 'Redeem a voucher') },
    { name: 'operator-voucher-batch', viewer: 'operator', path: `${path}/${batchId}`, looks: ALL_LOOKS },
    { name: 'empty-operator-vouchers', viewer: 'operator', path, prepare: changed('/operator/vouchers?*', () => ({ object: 'list', data: [], has_more: false, next_cursor: null })) },
    { name: 'dialog-vouchers-create', viewer: 'operator', path, act: openVoucherForm },
    { name: 'dialog-vouchers-faults', viewer: 'operator', path, act: submitEmptyVouchers },
    { name: 'dialog-vouchers-created', viewer: 'operator', changes: true, path, act: createVouchers },
    { name: 'dialog-vouchers-revoke', viewer: 'operator', path: `${path}/${batchId}`, act: (page) => pressed(page, 'Revoke batch', /^Revoke/) },
  ];
}
