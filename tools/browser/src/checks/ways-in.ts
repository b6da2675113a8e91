import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { Page } from 'playwright-core';
import { codeOf, mailedLink, oneTimeLink } from '../world/credentials.js';
import type { Check, CheckContext, SignedIn } from './check.js';
import { gone, heading, shown } from '../driver/page-states.js';
import { enter, signOut } from '../driver/watched-page.js';
import { PASSWORD, type Resident } from '../world/open-world.js';

const SECOND = 1_000;

async function follow(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Checks that the page of an invalid link reports it, and that no session begins. */
async function expectRefusal(page: Page, link: string): Promise<void> {
  await follow(page, link);
  await shown(page.getByRole('status').filter({ hasText: 'This link was already used or has expired' }));
  await page.goto('/dashboard/overview');
  await page.waitForURL(/\/dashboard\/sign-in/);
}

async function usesLinkOnce(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner();
  const link = await oneTimeLink(world, owner);
  const { page } = await context.page();
  await follow(page, link);
  await shown(heading(page, 'Overview'));
  if (page.url().includes('token')) throw new Error('the token stays in the address');
  await expectRefusal((await context.page()).page, link);
  const late = await oneTimeLink(world, owner);
  world.clock.advance(MILLISECONDS_PER_HOUR + SECOND);
  await expectRefusal((await context.page()).page, late);
}

export const signInLink: Check = { number: 2, title: 'A sign-in link works once, not after an hour, and not in a second browser', run: usesLinkOnce };

const NEXT_CODE_MILLISECONDS = 30_000;
const RECOVERY_CODES = 10;
const USED_BEFORE = /is incorrect or was already used/;

interface Enrolment {
  /** The app's code at the current time. */
  readonly code: () => string;
  /** The code by which the app was enrolled. */
  readonly used: string;
  readonly recoveryCodes: readonly string[];
}

/** Checks that the dialog closes only when the codes are stored, and that the downloaded file has all of them. */
async function storeCodes(page: Page): Promise<readonly string[]> {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  const items = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await shown(items.nth(RECOVERY_CODES - 1));
  const codes = await items.allInnerTexts();
  assert.equal(new Set(codes).size, RECOVERY_CODES);
  const begun = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download as text' }).click();
  const file = await begun;
  assert.equal(file.suggestedFilename(), 'tollgate-recovery-codes.txt');
  assert.deepEqual(readFileSync(await file.path(), 'utf8').trim().split('\n'), codes);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await shown(dialog.getByText('Store the codes first. They cannot be shown again.'));
  await dialog.getByRole('checkbox', { name: 'I have stored the codes' }).check();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await gone(dialog);
  return codes;
}

async function enrol({ world }: CheckContext, page: Page): Promise<Enrolment> {
  await page.goto('/dashboard/account?tab=security');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await shown(dialog.getByRole('img', { name: 'QR code for your authenticator app' }));
  const secret = (await dialog.getByRole('code').innerText()).replaceAll(/\s/g, '');
  assert.match(secret, /^[A-Z2-7]{32,}$/);
  const code = (): string => codeOf(secret, world.clock.now());
  const used = code();
  await dialog.getByLabel('Code from the app').fill(used);
  await dialog.getByRole('button', { name: 'Confirm app' }).click();
  const recoveryCodes = await storeCodes(page);
  await shown(page.getByText(`${RECOVERY_CODES} codes left.`));
  return { code, used, recoveryCodes };
}

/** Signs in by password; then only the page of the second factor can be reached. */
async function enterByPassword(page: Page, { email }: Resident): Promise<void> {
  await enter(page, email, PASSWORD);
  await shown(heading(page, 'Second factor'));
  await page.goto('/dashboard/keys');
  await page.waitForURL(/\/two-factor/);
  await shown(heading(page, 'Second factor'));
}

async function prove(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(label).fill(code);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
}

const APP = 'Code from your authenticator app';
const RECOVERY = 'Recovery code';

/** Checks that a code of the app signs in once: neither the code of the enrolment nor a used one is accepted. */
async function byApp({ world }: CheckContext, { page, owner }: SignedIn, { code, used }: Enrolment): Promise<void> {
  await enterByPassword(page, owner);
  await prove(page, APP, used);
  await shown(page.getByText(USED_BEFORE));
  world.clock.advance(NEXT_CODE_MILLISECONDS);
  const next = code();
  await prove(page, APP, next);
  await shown(heading(page, 'API keys'));
  await signOut(page);
  await enterByPassword(page, owner);
  await prove(page, APP, next);
  await shown(page.getByText(USED_BEFORE));
}

async function byRecovery({ page, owner }: SignedIn, { recoveryCodes: [first = '', second = ''] }: Enrolment): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await prove(page, RECOVERY, first);
  await shown(heading(page, 'API keys'));
  await page.goto('/dashboard/account?tab=security');
  await shown(page.getByText(`${RECOVERY_CODES - 1} codes left.`));
  await signOut(page);
  await enterByPassword(page, owner);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await prove(page, RECOVERY, first);
  await shown(page.getByText(USED_BEFORE));
  await prove(page, RECOVERY, second.toUpperCase());
  await shown(heading(page, 'API keys'));
}

async function authenticatorApp(context: CheckContext): Promise<SignedIn> {
  const owner = await context.owner();
  const { page } = await context.signedIn(owner);
  const enrolment = await enrol(context, page);
  await signOut(page);
  await byApp(context, { owner, page }, enrolment);
  await byRecovery({ owner, page }, enrolment);
  return { owner, page };
}

const NEW_PASSWORD = 'another horse battery';

/** Adds a virtual authenticator that signs without a gesture of the user. */
async function attachAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

async function passkey(context: CheckContext): Promise<void> {
  const { page } = await context.signedIn(await context.owner());
  await attachAuthenticator(page);
  await page.goto('/dashboard/account?tab=security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('virtual');
  await form.getByRole('button', { name: /passkey/i }).last().click();
  await gone(form);
  await shown(page.getByRole('table').getByText('virtual'));
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await shown(heading(page, 'Overview'));
}

/** Checks that a reset by mail ends earlier sessions of an owner without second factor, and replaces the password. */
async function reset(context: CheckContext, { owner, page: old }: SignedIn): Promise<void> {
  const { page } = await context.page();
  await page.goto('/dashboard/forgot');
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.goto(await mailedLink(context.world, owner.email, 'reset'));
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await shown(heading(page, 'Overview'));
  await old.reload();
  await old.waitForURL(/sign-in/);
  await enter(old, owner.email, PASSWORD);
  await shown(old.getByText('The e-mail address or password is incorrect.'));
  await enter(old, owner.email, NEW_PASSWORD);
  await shown(heading(old, 'Overview'));
  await everywhere(old, page);
}

/** Checks that signing out everywhere ends sessions in other browsers too. */
async function everywhere(page: Page, other: Page): Promise<void> {
  await page.goto('/dashboard/account?tab=sessions');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog', { name: 'Sign out everywhere?' }).getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL(/sign-in/);
  await other.reload();
  await other.waitForURL(/sign-in/);
}

async function signsInEveryWay(context: CheckContext): Promise<void> {
  await passkey(context);
  await reset(context, await authenticatorApp(context));
}

export const waysIn: Check = { number: 16, title: 'A passkey signs in, and so do an app and recovery codes, each code once; a password is reset by mail; signing out everywhere ends all sessions', run: signsInEveryWay };
