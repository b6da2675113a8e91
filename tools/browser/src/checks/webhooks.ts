import { strict as assert } from 'node:assert';
import { MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import type { Locator, Page } from 'playwright-core';
import { type Hand, mouse } from '../driver/hand.js';
import { gone, heading, shown } from '../driver/page-states.js';
import { until } from '../driver/wait.js';
import type { Resident } from '../world/open-world.js';
import { isSignedWith, WebhookReceiver } from '../world/webhook-receiver.js';
import type { Check, CheckContext } from './check.js';
import { provePassword, takeSecret } from './secret-dialog.js';

const SECRET = /^whsec_[A-Za-z0-9]{40}$/;
/** Minutes to wait so that a proof of identity is no longer fresh. */
const PROOF_MINUTES = 11;
/** Seconds to wait so that a webhook delivers again after a failure. */
const PAUSE_SECONDS = 6;
/** Permits the address of the receiver, because owners' webhooks must otherwise be at public addresses. */
const ENVIRONMENT = { WEBHOOK_NETWORKS: '127.0.0.0/8' };

interface Visit {
  readonly context: CheckContext;
  readonly page: Page;
  readonly hand: Hand;
  readonly receiver: WebhookReceiver;
}

/** Creates a webhook; the first attempt has no address. */
async function create(visit: Visit): Promise<string> {
  const { page, hand, receiver } = visit;
  await hand.press(page.getByRole('button', { name: 'Create webhook', exact: true }).first());
  const form = page.getByRole('dialog', { name: 'Create webhook' });
  await hand.opened(form);
  const submit = form.getByRole('button', { name: 'Create webhook' });
  await hand.press(submit);
  await shown(form.getByText('This field is required.'));
  await hand.write(form.getByLabel('Address', { exact: true }), receiver.url);
  await hand.write(form.getByLabel('Note'), 'The shop');
  await hand.press(submit);
  await provePassword(page, hand);
  return takeSecret(visit.context, page, { hand, form: SECRET, title: 'Webhook created' });
}

async function open({ page, hand, receiver: { host } }: Visit): Promise<void> {
  await hand.press(page.getByRole('link', { name: host }));
  await shown(heading(page, host));
}

function newestRow(page: Page): Locator {
  return page.getByRole('region', { name: /^Deliveries/ }).getByRole('row').nth(1);
}

async function showsNewest({ page }: Visit, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await shown(newestRow(page).getByText(text, { exact: true }));
}

async function test({ page, hand }: Visit): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Send a test' }));
  await shown(page.getByText('The test is on its way.', { exact: false }));
}

async function receivesNext({ receiver }: Visit, before: number): Promise<void> {
  await until('another request to the webhook', () => receiver.received.length > before);
}

/** Checks that deliveries are signed with the secret that was shown, and that the page of the webhook does not show the secret again. */
async function deliversTest(visit: Visit, secret: string): Promise<void> {
  const { page, receiver } = visit;
  await open(visit);
  await test(visit);
  await showsNewest(visit, 'webhook.test', 'Delivered', 'thanks');
  assert.deepEqual(receiver.types, ['webhook.test']);
  assert.deepEqual(receiver.received.map((received) => isSignedWith(secret, received)), [true]);
  assert.ok(!(await page.content()).includes(secret), 'the secret is shown again');
}

/** Checks that the page shows the reply to a failed delivery, and that the delivery can be sent again by hand. */
async function showsFailure(visit: Visit): Promise<void> {
  const { context: { world: { clock } }, page, hand, receiver } = visit;
  receiver.answer = { status: 500, text: 'out of order' };
  await test(visit);
  await showsNewest(visit, 'webhook.test', 'Waiting', 'out of order');
  await shown(newestRow(page).getByText('HTTP 500', { exact: false }));
  receiver.answer = { status: 200, text: 'thanks again' };
  const before = receiver.received.length;
  await hand.press(newestRow(page).getByRole('button', { name: 'Resend “webhook.test”' }));
  await shown(page.getByText('The event is on its way again.'));
  clock.advance(PAUSE_SECONDS * MILLISECONDS_PER_SECOND);
  await receivesNext(visit, before);
  await hand.press(page.getByRole('button', { name: 'Refresh' }));
  await showsNewest(visit, 'Delivered', 'thanks again');
}

/** Checks that changing the address requires a fresh proof. */
async function changesAddress(visit: Visit): Promise<void> {
  const { context: { world: { clock } }, page, hand, receiver } = visit;
  clock.advance(PROOF_MINUTES * MILLISECONDS_PER_MINUTE);
  await hand.press(page.getByRole('button', { name: 'Edit', exact: true }));
  const form = page.getByRole('dialog', { name: 'Edit webhook' });
  await hand.opened(form);
  await hand.write(form.getByLabel('Address', { exact: true }), `${receiver.url}/next`);
  await hand.press(form.getByRole('button', { name: 'Save changes' }));
  await provePassword(page, hand);
  await gone(form);
  await shown(page.getByText(`${receiver.url}/next`));
}

async function rotates(visit: Visit, old: string): Promise<void> {
  const { page, hand, receiver } = visit;
  await hand.press(page.getByRole('button', { name: 'Rotate the secret' }));
  const question = page.getByRole('dialog', { name: 'Rotate the secret?' });
  await hand.opened(question);
  await hand.press(question.getByRole('button', { name: 'Rotate secret' }));
  const secret = await takeSecret(visit.context, page, { hand, form: SECRET, title: 'New secret of the webhook' });
  const before = receiver.received.length;
  await test(visit);
  await receivesNext(visit, before);
  const last = receiver.received.at(-1);
  assert.deepEqual(last && [isSignedWith(secret, last), isSignedWith(old, last)], [true, true]);
}

async function disables({ page, hand }: Visit): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Disable', exact: true }));
  const question = page.getByRole('dialog', { name: 'Disable webhook?' });
  await hand.opened(question);
  await hand.press(question.getByRole('button', { name: 'Disable' }));
  await gone(question);
  await shown(page.getByText('It receives nothing, and events until then are not queued', { exact: false }));
  await gone(page.getByRole('button', { name: 'Send a test' }));
}

async function deletes({ page, hand, receiver: { host } }: Visit): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Delete', exact: true }));
  const question = page.getByRole('dialog', { name: `Delete the webhook at ${host}?` });
  await hand.opened(question);
  await hand.press(question.getByRole('button', { name: 'Delete webhook' }));
  await shown(page.getByText('No webhooks yet'));
}

interface Side {
  readonly resident: Resident;
  readonly path: string;
  readonly scheme: 'http' | 'https';
}

async function manages(context: CheckContext, { resident, path, scheme }: Side, handOf: (page: Page) => Hand): Promise<void> {
  const receiver = await WebhookReceiver.start(scheme);
  try {
    const { page } = await context.signedIn(resident);
    const visit: Visit = { context, page, hand: handOf(page), receiver };
    await page.goto(`/dashboard${path}`);
    await shown(page.getByText('No webhooks yet'));
    context.world.clock.advance(PROOF_MINUTES * MILLISECONDS_PER_MINUTE);
    const secret = await create(visit);
    await deliversTest(visit, secret);
    await showsFailure(visit);
    await changesAddress(visit);
    await rotates(visit, secret);
    await disables(visit);
    await deletes(visit);
  } finally {
    await receiver.close();
  }
}

/** Checks the webhooks of an owner, over TLS, and those of the operators. */
export function managesWebhooks(context: CheckContext, handOf: (page: Page) => Hand): Promise<void> {
  return context.apart(async (own) => {
    await manages(own, { resident: await own.owner(), path: '/webhooks', scheme: 'https' }, handOf);
    await manages(own, { resident: await own.operator(), path: '/operator/webhooks', scheme: 'http' }, handOf);
  }, { environment: ENVIRONMENT });
}

export const webhooks: Check = {
  number: 28,
  title: 'An owner and an operator each create a webhook after a proof, see its secret once and its deliveries with their answers, send one again, change its address after another proof, rotate its secret, disable and delete it',
  run: (context) => managesWebhooks(context, () => mouse),
};
