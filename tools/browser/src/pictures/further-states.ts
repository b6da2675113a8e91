import type { Page, Route } from 'playwright-core';
import { chooseAction } from '../checks/key-steps.js';
import { shown } from '../checks/check-context.js';
import type { Subjects } from '../checks/pages.js';
import { dialog, TWO_LOOKS, type State } from './state.js';

const FAILURE = { error: { code: 'internal_error', type: 'api_error', message: 'The gateway failed.', request_id: 'req_0123456789abcdefghijkl' } };

function fail(route: Route): Promise<void> {
  return route.fulfill({ status: 500, headers: { 'x-request-id': FAILURE.error.request_id }, json: FAILURE });
}

async function pressed(page: Page, button: string, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await dialog(page, name);
}

async function choose(page: Page, action: string): Promise<void> {
  const narrow = page.viewportSize()?.width === 390;
  if (!narrow) return chooseAction(page, { name: 'ci', action });
  await page.getByRole('button', { name: 'Actions for “ci”' }).first().click();
  return page.getByRole('dialog').getByRole('button', { name: action }).click();
}

async function createKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: 'Create key' });
  await form.getByLabel('Name', { exact: true }).fill('picture');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog(page, /created/);
}

async function openMore(page: Page, action: string, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
  await dialog(page, name);
}

type Named = Omit<State, 'looks'>;

function emptyStates(): readonly Named[] {
  const paths = ['/overview', '/usage', '/activity'];
  return [
    ...paths.map((path): Named => ({ name: `empty${path.replaceAll('/', '-')}`, viewer: 'newcomer', path })),
    { name: 'empty-operator-live', viewer: 'operator', path: '/operator/live' },
    { name: 'long-overview', viewer: 'longNamed', path: '/overview' },
    { name: 'long-keys', viewer: 'longNamed', path: '/keys' },
    { name: 'long-account', viewer: 'longNamed', path: '/account?tab=profile' },
    { name: 'not-found', viewer: 'owner', path: '/no-such-page' },
    { name: 'record-not-found', viewer: 'owner', path: '/usage/req_00000000000000000000' },
    { name: 'no-account-matches', viewer: 'operator', path: '/operator/accounts?q=nobody@example.com' },
    {
      name: 'loading-overview', viewer: 'owner', path: '/overview', isLoading: true, prepare: (page) => page.route('**/dashboard/api/overview', () => undefined),
      act: (page) => page.locator('main [aria-busy="true"]').first().waitFor({ state: 'attached' }),
    },
    { name: 'loading-usage', viewer: 'owner', path: '/usage', isLoading: true, prepare: (page) => page.route('**/dashboard/api/usage*', () => undefined) },
    { name: 'failed-usage-sums', viewer: 'owner', path: '/usage', prepare: (page) => page.route('**/dashboard/api/usage/summary*', fail), act: (page) => shown(page.getByRole('button', { name: 'Try again' })) },
    { name: 'failed-overview', viewer: 'owner', path: '/overview', prepare: (page) => page.route('**/dashboard/api/overview', fail), act: (page) => shown(page.getByRole('button', { name: 'Try again' })) },
  ];
}

function ownerDialogs({ requestId }: Subjects): readonly Named[] {
  return [
    { name: 'dialog-key-create', viewer: 'owner', path: '/keys?create=1', act: (page) => dialog(page, 'Create key') },
    { name: 'dialog-key-created', viewer: 'owner', path: '/keys', act: createKey },
    { name: 'dialog-key-rotate', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Rotate'); await dialog(page, /^Rotate/); } },
    { name: 'dialog-key-revoke', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Revoke'); await dialog(page, /^Revoke/); } },
    { name: 'dialog-account-delete', viewer: 'owner', path: '/account?tab=deletion', act: (page) => pressed(page, 'Delete account', /^Delete/) },
    { name: 'dialog-sign-out-everywhere', viewer: 'owner', path: '/account?tab=sessions', act: (page) => pressed(page, 'Sign out everywhere', /^Sign out everywhere/) },
    { name: 'dialog-export', viewer: 'owner', path: '/usage', act: (page) => pressed(page, 'Export', 'Export requests') },
    { name: 'drawer-record', viewer: 'owner', path: `/usage?record=${requestId}`, act: (page) => dialog(page, 'Request') },
    { name: 'palette', viewer: 'owner', path: '/overview', act: async (page) => { await page.keyboard.press('Control+k'); await shown(page.getByPlaceholder('Go to a page, or paste an id')); } },
    { name: 'shortcuts', viewer: 'owner', path: '/overview', act: async (page) => { await page.keyboard.press('Shift+?'); await dialog(page, 'Keyboard shortcuts'); } },
    { name: 'playground-code', viewer: 'owner', path: '/playground?try=1', act: (page) => pressed(page, 'Copy as code', 'This conversation as code') },
    {
      name: 'playground-reply', viewer: 'owner', path: '/playground?try=1',
      act: async (page) => { await page.getByRole('button', { name: 'Send', exact: true }).click(); await shown(page.getByRole('link', { name: 'View charge' })); },
    },
  ];
}

function operatorDialogs(accountId: string): readonly Named[] {
  const account = `/operator/accounts/${accountId}`;
  return [
    { name: 'dialog-credit', viewer: 'operator', path: account, act: (page) => pressed(page, 'Credit', /^Credit/) },
    { name: 'dialog-refund', viewer: 'operator', path: account, act: (page) => pressed(page, 'Refund', /^Refund/) },
    { name: 'dialog-correct', viewer: 'operator', path: account, act: (page) => openMore(page, 'Correct balance', /^Correct/) },
    { name: 'dialog-suspend', viewer: 'operator', path: account, act: (page) => openMore(page, 'Suspend account', /^Suspend/) },
    { name: 'dialog-block-account', viewer: 'operator', path: account, act: (page) => openMore(page, 'Block account', /^Block/) },
    { name: 'dialog-schedule-deletion', viewer: 'operator', path: account, act: (page) => openMore(page, 'Schedule deletion', /deletion/) },
    { name: 'dialog-create-account', viewer: 'operator', path: '/operator/accounts', act: (page) => pressed(page, 'Create account', 'Create account') },
    { name: 'dialog-maintenance', viewer: 'operator', path: '/operator/incidents', act: (page) => pressed(page, 'Start maintenance', /^Start maintenance/) },
    { name: 'dialog-limit-model', viewer: 'operator', path: '/operator/incidents', act: (page) => pressed(page, 'Limit a model', 'Limit a model') },
    { name: 'dialog-block', viewer: 'operator', path: '/operator/blocklists', act: (page) => pressed(page, 'Block', /^Block/) },
    { name: 'dialog-test-mail', viewer: 'operator', path: '/operator/mail', act: (page) => pressed(page, 'Send test mail', 'Send test mail') },
  ];
}

/** What is looked at in two ways: empty, loading and failed pages, long names, dialogs, drawers. */
export function furtherStates(subjects: Subjects & { readonly accountId: string }): readonly State[] {
  return [...emptyStates(), ...ownerDialogs(subjects), ...operatorDialogs(subjects.accountId)].map((state) => ({ ...state, looks: TWO_LOOKS }));
}
