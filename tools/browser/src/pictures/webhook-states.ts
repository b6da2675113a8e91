import type { Page } from 'playwright-core';
import { dialog, shown } from '../driver/page-states.js';
import { ALL_LOOKS, type NamedState, ONE_LOOK } from './state.js';
import { withWebhooks } from './webhook-examples.js';

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

function ofOne(name: string, button: string | RegExp, title: RegExp): NamedState {
  return {
    name, viewer: 'owner', path: '/webhooks/hook_shop', prepare: withWebhooks(''),
    act: async (page) => {
      await page.getByRole('button', { name: button, exact: true }).click();
      await dialog(page, title);
    },
  };
}

const FILLED: readonly NamedState[] = [
  { name: 'webhooks-5', looks: ALL_LOOKS, viewer: 'owner', path: '/webhooks', prepare: withWebhooks('') },
  { name: 'operator-webhooks-5', looks: ALL_LOOKS, viewer: 'operator', path: '/operator/webhooks', prepare: withWebhooks('/operator') },
  { name: 'webhook-deliveries', looks: ALL_LOOKS, viewer: 'owner', path: '/webhooks/hook_shop', prepare: withWebhooks('') },
  { name: 'webhook-failing', viewer: 'owner', path: '/webhooks/hook_accounting', prepare: withWebhooks('') },
  { name: 'webhook-stopped', viewer: 'owner', path: '/webhooks/hook_stopped', prepare: withWebhooks('') },
  { name: 'operator-webhook-deliveries', viewer: 'operator', path: '/operator/webhooks/hook_shop', prepare: withWebhooks('/operator') },
  ofOne('dialog-webhook-edit', 'Edit', /^Edit webhook/),
  ofOne('dialog-webhook-catch-up', 'Catch up since…', /^Catch up/),
  ofOne('dialog-webhook-disable', 'Disable', /^Disable/),
  ofOne('dialog-webhook-rotate', 'Rotate the secret', /^Rotate/),
  ofOne('dialog-webhook-delete', 'Delete', /^Delete/),
];

export const WEBHOOK_STATES: readonly NamedState[] = [
  ...FILLED,
  { name: 'dialog-webhook-faults', viewer: 'owner', path: '/webhooks', act: submitEmptyWebhook },
  { name: 'dialog-webhook-created', viewer: 'scratch', changes: true, path: '/webhooks', act: createWebhook },
  { name: 'webhook', looks: ONE_LOOK, viewer: 'scratch', changes: true, path: '/webhooks', act: testWebhook },
];
