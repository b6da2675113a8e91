import type { Page } from 'playwright-core';
import { shown } from '../driver/page-states.js';
import { dialog, type NamedState, ONE_LOOK } from './gallery.js';

async function submitEmptyWebhook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create webhook', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: 'Create webhook' });
  await form.getByLabel(/^All events/).uncheck();
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await shown(form.getByText('Choose at least one type of event.'));
}

async function createWebhook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create webhook', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: 'Create webhook' });
  await form.getByLabel('Address', { exact: true }).fill('https://shop.example.com/webhook');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await dialog(page, 'Webhook created');
}

async function testWebhook(page: Page): Promise<void> {
  await createWebhook(page);
  const issued = page.getByRole('dialog', { name: 'Webhook created' });
  await issued.getByRole('checkbox').check();
  await issued.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'shop.example.com' }).first().click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await shown(page.getByText('The test is on its way.', { exact: false }));
}

export const WEBHOOK_STATES: readonly NamedState[] = [
  { name: 'dialog-webhook-faults', viewer: 'owner', path: '/webhooks', act: submitEmptyWebhook },
  { name: 'dialog-webhook-created', viewer: 'scratch', changes: true, path: '/webhooks', act: createWebhook },
  { name: 'webhook', looks: ONE_LOOK, viewer: 'scratch', changes: true, path: '/webhooks', act: testWebhook },
];
