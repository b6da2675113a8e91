import type { Page } from 'playwright-core';
import { shown } from '../checks/check-context.js';
import { chooseAction } from '../checks/key-steps.js';
import type { Subjects } from '../checks/pages.js';
import { dialog, NARROW_LOOKS, type NamedState } from './state.js';

async function pressed(page: Page, button: string | RegExp, name: string | RegExp): Promise<void> {
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

async function openMenu(page: Page, [menu, action]: readonly [menu: string | RegExp, action: string], name: RegExp): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).first().click();
  await page.getByRole('menuitem', { name: action }).click();
  await dialog(page, name);
}

/** What can lie over the pages of owners. */
export function ownerDialogs({ requestId }: Subjects): readonly NamedState[] {
  return [
    { name: 'dialog-key-create', viewer: 'owner', path: '/keys?create=1', act: (page) => dialog(page, 'Create key') },
    { name: 'dialog-key-created', viewer: 'scratch', changes: true, path: '/keys', act: createKey },
    { name: 'dialog-key-edit', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Edit'); await dialog(page, /^Edit/); } },
    { name: 'dialog-key-rotate', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Rotate'); await dialog(page, /^Rotate/); } },
    { name: 'dialog-key-revoke', viewer: 'owner', path: '/keys', act: async (page) => { await choose(page, 'Revoke'); await dialog(page, /^Revoke/); } },
    { name: 'dialog-account-delete', viewer: 'owner', path: '/account?tab=deletion', act: (page) => pressed(page, 'Delete account', /^Delete/) },
    { name: 'dialog-sign-out-everywhere', viewer: 'owner', path: '/account?tab=sessions', act: (page) => pressed(page, 'Sign out everywhere', /^Sign out everywhere/) },
    { name: 'dialog-export', viewer: 'owner', path: '/usage', act: (page) => pressed(page, 'Export', 'Export requests') },
    { name: 'drawer-record', viewer: 'owner', path: `/usage?record=${requestId}`, act: (page) => dialog(page, 'Request') },
    { name: 'drawer-navigation', viewer: 'operator', path: '/overview', looks: NARROW_LOOKS, act: (page) => pressed(page, 'Menu', 'Tollgate') },
    { name: 'drawer-filters', viewer: 'owner', path: '/usage', looks: NARROW_LOOKS, act: (page) => pressed(page, 'Filters', 'Filters') },
    { name: 'sheet-key', viewer: 'owner', path: '/keys', looks: NARROW_LOOKS, act: (page) => pressed(page, 'Actions for “ci”', 'ci') },
    { name: 'drawer-settings', viewer: 'owner', path: '/playground?try=1', looks: NARROW_LOOKS, act: (page) => pressed(page, 'Settings', 'Settings') },
    { name: 'palette', viewer: 'owner', path: '/overview', act: async (page) => { await page.keyboard.press('Control+k'); await shown(page.getByPlaceholder('Go to a page, or paste an id')); } },
    { name: 'shortcuts', viewer: 'owner', path: '/overview', act: async (page) => { await page.keyboard.press('Shift+?'); await dialog(page, 'Keyboard shortcuts'); } },
    { name: 'person-menu', viewer: 'owner', path: '/models', act: async (page) => { await page.getByRole('button', { name: /^Person:/ }).click(); await shown(page.getByRole('menuitem', { name: 'Sign out' })); } },
    { name: 'period', viewer: 'owner', path: '/usage', act: async (page) => { await page.getByRole('button', { name: /^Period:/ }).click(); await shown(page.getByRole('button', { name: 'Last 365 days' })); } },
    { name: 'playground-code', viewer: 'owner', path: '/playground?try=1', act: (page) => pressed(page, 'Copy as code', 'This conversation as code') },
    {
      name: 'playground-reply', viewer: 'scratch', changes: true, path: '/playground?try=1',
      act: async (page) => { await page.getByRole('button', { name: 'Send', exact: true }).click(); await shown(page.getByRole('link', { name: 'View charge' })); },
    },
  ];
}

/** What can lie over the pages of operators. */
export function operatorDialogs(accountId: string): readonly NamedState[] {
  const account = `/operator/accounts/${accountId}`;
  const keys = `${account}?tab=keys`;
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
    { name: 'dialog-create-account', viewer: 'operator', path: '/operator/accounts', act: (page) => pressed(page, 'Create account', 'Create account') },
    { name: 'dialog-maintenance', viewer: 'operator', path: '/operator/incidents', act: (page) => pressed(page, 'Start maintenance', /^Start maintenance/) },
    { name: 'dialog-limit-model', viewer: 'operator', path: '/operator/incidents', act: (page) => pressed(page, 'Limit a model', 'Limit a model') },
    { name: 'dialog-block', viewer: 'operator', path: '/operator/blocklists', act: (page) => pressed(page, 'Block', /^Block/) },
    { name: 'dialog-test-mail', viewer: 'operator', path: '/operator/mail', act: (page) => pressed(page, 'Send test mail', 'Send test mail') },
  ];
}
