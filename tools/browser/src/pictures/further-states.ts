import type { Locator, Page } from 'playwright-core';
import { dialog, shown } from '../driver/page-states.js';
import type { Examples } from './examples.js';
import { CHART_STATES } from './chart-states.js';
import { MACHINE_ACT_STATES } from './machine-act-states.js';
import { changed, failing } from './replies.js';
import { CONSENT, EMPTY_LIST, PRICE_LISTS, STATEMENTS } from './sample-replies.js';
import { ALL_LOOKS, type NamedState, nameOf, NARROW_LOOKS, type State, TWO_LOOKS } from './state.js';
import { voucherStates } from './voucher-states.js';
import { WEBHOOK_STATES } from './webhook-states.js';

async function pressed(page: Page, button: string | RegExp, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await dialog(page, name);
}

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for “ci”' }).first().click();
  const isSheet = page.viewportSize()?.width === 390;
  await (isSheet ? page.getByRole('dialog').getByRole('button', { name: action }) : page.getByRole('menuitem', { name: action })).click();
}

/** Tries to sign in with an unknown address, so that no person's failures are counted. */
async function refuseSignIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill('stranger@example.test');
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shown(page.getByText('The e-mail address or password is incorrect.'));
}

async function createKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: 'Create key' });
  await form.getByLabel('Name', { exact: true }).fill('picture');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog(page, /created/);
}

async function limitKey(page: Page): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Create key' });
  await form.getByLabel('Spending limit').click();
  await page.getByRole('option', { name: 'Per month (UTC)' }).click();
  await form.getByLabel('At most', { exact: true }).fill('5');
  await shown(form.getByText('= 5,000 service tokens'));
}

async function openMachineForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Create machine', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Create machine' });
  await shown(form);
  return form;
}

async function submitEmptyMachine(page: Page): Promise<void> {
  const form = await openMachineForm(page);
  await form.getByLabel('Networks', { exact: true }).fill('10.0.0.0/8\nhome');
  await form.getByRole('button', { name: 'Create machine' }).click();
  await shown(form.getByText('Choose at least one scope.'));
}

async function createMachine(page: Page): Promise<void> {
  const form = await openMachineForm(page);
  await form.getByLabel('Name', { exact: true }).fill('picture');
  await form.getByLabel('usage:read').check();
  await form.getByRole('button', { name: 'Create machine' }).click();
  await dialog(page, /created$/);
}

async function openMenu(page: Page, [menu, action]: readonly [menu: string | RegExp, action: string], name: RegExp): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).first().click();
  await page.getByRole('menuitem', { name: action }).click();
  await dialog(page, name);
}

const NARROW = { looks: NARROW_LOOKS, isNarrow: true };

function ownerDialogs({ requestId }: Examples): readonly NamedState[] {
  return [
    { name: 'dialog-key-create', viewer: 'owner', path: '/keys?create=1', act: (page) => dialog(page, 'Create key') },
    { name: 'dialog-key-limited', viewer: 'owner', path: '/keys?create=1', act: limitKey },
    { name: 'dialog-key-created', viewer: 'scratch', changes: true, path: '/keys', act: createKey },
    { name: 'dialog-key-edit', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Edit'); await dialog(page, /^Edit/); } },
    { name: 'dialog-key-rotate', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Rotate'); await dialog(page, /^Rotate/); } },
    { name: 'dialog-key-revoke', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Revoke'); await dialog(page, /^Revoke/); } },
    ...WEBHOOK_STATES,
    { name: 'dialog-account-delete', viewer: 'owner', path: '/account?tab=deletion', act: (page) => pressed(page, 'Delete account', /^Delete/) },
    { name: 'dialog-sign-out-everywhere', viewer: 'owner', path: '/account?tab=sessions', act: (page) => pressed(page, 'Sign out everywhere', /^Sign out everywhere/) },
    { name: 'dialog-export', viewer: 'owner', path: '/usage', act: (page) => pressed(page, 'Export', 'Export requests') },
    { name: 'open-record', viewer: 'owner', path: `/usage?record=${requestId}`, act: (page) => shown(page.getByRole('region', { name: 'Charge' })) },
    { name: 'drawer-navigation', viewer: 'operator', path: '/overview', ...NARROW, act: (page) => pressed(page, 'Menu', 'Tollgate') },
    { name: 'drawer-filters', viewer: 'owner', path: '/usage', ...NARROW, act: (page) => pressed(page, 'Filters', 'Filters') },
    { name: 'sheet-key', viewer: 'owner', path: '/keys', ...NARROW, act: (page) => pressed(page, 'Actions for “ci”', 'ci') },
    { name: 'drawer-settings', viewer: 'owner', path: '/playground?try=1', ...NARROW, act: (page) => pressed(page, 'Settings', 'Settings') },
    { name: 'palette', viewer: 'owner', path: '/overview', act: async (page) => { await page.keyboard.press('Control+k'); await shown(page.getByPlaceholder('Find a page')); } },
    { name: 'shortcuts', viewer: 'owner', path: '/overview', act: async (page) => { await page.keyboard.press('Shift+?'); await dialog(page, 'Keyboard shortcuts'); } },
    { name: 'person-menu', viewer: 'owner', path: '/models', act: async (page) => { await page.getByRole('button', { name: /^Person:/ }).click(); await shown(page.getByRole('menuitem', { name: 'Sign out' })); } },
    { name: 'period', viewer: 'owner', path: '/usage', act: async (page) => { await page.getByRole('button', { name: /^Period:/ }).click(); await shown(page.getByRole('button', { name: 'Last 365 days' })); } },
    { name: 'playground-code', viewer: 'owner', path: '/playground?try=1', act: (page) => pressed(page, 'Copy as code', 'This conversation as code') },
    { name: 'playground-code-responses', viewer: 'owner', path: '/playground?try=1&format=responses', act: (page) => pressed(page, 'Copy as code', 'This conversation as code') },
    {
      name: 'playground-reply', viewer: 'scratch', changes: true, path: '/playground?try=1',
      act: async (page) => { await page.getByRole('button', { name: 'Send', exact: true }).click(); await shown(page.getByRole('link', { name: 'View charge' })); },
    },
  ];
}

function operatorDialogs(accountId: string): readonly NamedState[] {
  const account = `/operator/accounts/${accountId}`;
  const keys = `${account}?tab=keys`;
  const machines = '/operator/machines';
  return [
    { name: 'dialog-credit', viewer: 'operator', path: account, act: (page) => pressed(page, 'Credit', /^Credit/) },
    { name: 'dialog-refund', viewer: 'operator', path: account, act: (page) => pressed(page, 'Refund', /^Refund/) },
    { name: 'dialog-correct', viewer: 'operator', path: account, act: (page) => openMenu(page, ['More', 'Correct balance'], /^Correct/) },
    { name: 'dialog-suspend', viewer: 'operator', path: account, act: (page) => openMenu(page, ['More', 'Suspend account'], /^Suspend/) },
    { name: 'dialog-block-account', viewer: 'operator', path: account, act: (page) => openMenu(page, ['More', 'Block account'], /^Block/) },
    { name: 'dialog-schedule-deletion', viewer: 'operator', path: account, act: (page) => openMenu(page, ['More', 'Schedule deletion'], /deletion/) },
    { name: 'dialog-block-key', viewer: 'operator', path: keys, act: (page) => openMenu(page, [/^Actions on key/, 'Block key'], /^Block/) },
    { name: 'dialog-revoke-key', viewer: 'operator', path: keys, act: (page) => openMenu(page, [/^Actions on key/, 'Revoke key'], /^Revoke/) },
    { name: 'dialog-end-sessions', viewer: 'operator', path: `${account}?tab=sessions`, act: (page) => pressed(page, /^(?:Sign out|End)/, /\?$/) },
    { name: 'dialog-create-account', viewer: 'operator', path: '/operator/accounts', act: (page) => pressed(page, 'Create customer', 'Create customer') },
    { name: 'dialog-maintenance', viewer: 'operator', path: '/operator/incidents', act: (page) => pressed(page, 'Start maintenance', /^Start maintenance/) },
    { name: 'dialog-limit-model', viewer: 'operator', path: '/operator/incidents', act: (page) => pressed(page, 'Limit a model', 'Limit a model') },
    { name: 'dialog-block', viewer: 'operator', path: '/operator/blocklists', act: (page) => pressed(page, 'Block', /^Block/) },
    { name: 'dialog-machine-create', viewer: 'operator', path: machines, act: (page) => pressed(page, 'Create machine', 'Create machine') },
    { name: 'dialog-machine-faults', viewer: 'operator', path: machines, act: submitEmptyMachine },
    { name: 'dialog-machine-rotate', viewer: 'operator', path: machines, act: (page) => openMenu(page, ['Actions for “Shop”', 'Rotate secret'], /^Rotate/) },
    { name: 'dialog-machine-revoke', viewer: 'operator', path: machines, act: (page) => openMenu(page, ['Actions for “Shop”', 'Revoke'], /^Revoke/) },
    { name: 'dialog-machine-created', viewer: 'operator', changes: true, path: machines, act: createMachine },
    { name: 'dialog-test-mail', viewer: 'operator', path: '/operator/mail', act: (page) => pressed(page, 'Send test mail', 'Send test mail') },
  ];
}

const MODELS = 20;
const MAINTENANCE = {
  kind: 'maintenance', state: 'on', from: '2026-11-22T14:00:00Z', until: '2026-11-22T15:30:00Z', text: 'Maintenance is on. Requests are refused with maintenance_mode. We move to larger machines.',
};

/** Many models in place of those of the reply, some of them outside the plan. */
function manyModels({ data, ...list }: Record<string, unknown>): Record<string, unknown> {
  const models = data as readonly Record<string, unknown>[];
  const many = Array.from({ length: MODELS }, (_, index) => {
    const model = models[index % models.length] ?? {};
    return { ...model, id: `${String(model['id'])}-${index + 1}`, display_name: `${String(model['display_name'])} ${index + 1}`, in_plan: index % 7 !== 6 };
  });
  return { ...list, data: many };
}

function reaching(reach: 'prove-factor' | 'enrol-factor') {
  return changed('/auth/session', (body) => ({ ...body, reach, factors: reach === 'prove-factor' ? ['totp', 'passkey'] : [] }));
}

function withBanner(viewer: 'owner' | 'operator', path: string): NamedState {
  return { name: `banner${nameOf(path, '-')}`, viewer, path, prepare: changed('/me', (body) => ({ ...body, banner: MAINTENANCE })), act: (page) => shown(page.getByText('We move to larger machines.')) };
}

function emptyStates(): readonly NamedState[] {
  return [
    ...['/overview', '/usage', '/billing', '/activity'].map((path): NamedState => ({ name: `empty${nameOf(path, '-')}`, viewer: 'newcomer', path })),
    { name: 'empty-keys', viewer: 'newcomer', path: '/keys', prepare: changed('/keys?*', () => EMPTY_LIST) },
    { name: 'empty-models', viewer: 'newcomer', path: '/models', prepare: changed('/models', (body) => ({ ...body, data: [] })) },
    { name: 'empty-playground', viewer: 'newcomer', path: '/playground' },
    { name: 'empty-operator-machines', viewer: 'operator', path: '/operator/machines', prepare: changed('/operator/machines', (body) => ({ ...body, data: [] })) },
    { name: 'empty-operator-live', viewer: 'operator', path: '/operator/live' },
    { name: 'price-lists-2', viewer: 'operator', path: '/operator/price-lists', looks: ALL_LOOKS, prepare: changed('/operator/price-lists', () => PRICE_LISTS), act: (page) => shown(page.getByText('To come').first()) },
    ...MACHINE_ACT_STATES,
    { name: 'agree', viewer: 'owner', path: '/agree', looks: ALL_LOOKS, prepare: changed('/consent', () => CONSENT), act: (page) => shown(page.getByRole('checkbox').first()) },
    { name: 'statements-2', viewer: 'owner', path: '/billing', prepare: changed('/statements?*', () => STATEMENTS), act: (page) => shown(page.getByRole('link', { name: /as PDF/ }).first()) },
    { name: 'models-20', viewer: 'owner', path: '/models', prepare: changed('/models', manyModels) },
    { name: 'long-overview', viewer: 'longNamed', path: '/overview' },
    { name: 'long-keys', viewer: 'longNamed', path: '/keys' },
    { name: 'long-account', viewer: 'longNamed', path: '/account?tab=profile' },
    { name: 'not-found', viewer: 'owner', path: '/no-such-page' },
    { name: 'record-not-found', viewer: 'owner', path: '/usage/req_00000000000000000000' },
    { name: 'no-account-matches', viewer: 'operator', path: '/operator/accounts?q=nobody@example.com' },
    withBanner('owner', '/overview'),
    withBanner('owner', '/playground'),
  ];
}

function partlyFailed(): readonly NamedState[] {
  const offersAnotherTry = (page: Page): Promise<void> => shown(page.getByRole('button', { name: 'Try again' }));
  return [
    { name: 'failed-usage-sums', viewer: 'owner', path: '/usage', prepare: failing('/usage/summary*'), act: offersAnotherTry },
    { name: 'failed-usage-list', viewer: 'owner', path: '/usage', prepare: failing('/usage?*'), act: offersAnotherTry },
  ];
}

/** States with dialogs and drawers, and of pages that are partly empty, failed or filled. */
export function furtherStates(examples: Examples): readonly State[] {
  const states = [...emptyStates(), ...partlyFailed(), ...CHART_STATES, ...ownerDialogs(examples), ...operatorDialogs(examples.accountId), ...voucherStates(examples.vouchers)];
  return [
    { name: 'sign-in-refused', viewer: 'stranger', path: '/sign-in', looks: ALL_LOOKS, act: refuseSignIn },
    { name: 'two-factor', viewer: 'owner', path: '/two-factor', looks: ALL_LOOKS, prepare: reaching('prove-factor') },
    { name: 'two-factor-enrol', viewer: 'owner', path: '/two-factor', looks: ALL_LOOKS, prepare: reaching('enrol-factor') },
    ...states.map((state) => ({ ...state, looks: state.looks ?? TWO_LOOKS })),
  ];
}
