import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { codeOf } from '../driver/authenticator-app.js';
import { PASSWORD, type Resident } from '../world/open-world.js';
import { type CheckContext, gone, heading, shown } from './check-context.js';
import { enter, type SignedIn, signOut } from './session-steps.js';

const NEXT_CODE_MILLISECONDS = 30_000;
const RECOVERY_CODES = 10;
const USED_BEFORE = /is not right/;

/** What a person keeps of an enrolment. */
interface Enrolment {
  /** The code of the app at this time. */
  readonly code: () => string;
  readonly recoveryCodes: readonly string[];
}

/** Reads the codes off the dialog, and stores them: they cannot be left unstored, and the file has them all. */
async function storeCodes(page: Page): Promise<readonly string[]> {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
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

/** Sets up an app with the secret that the page shows. */
async function enrol({ world }: CheckContext, page: Page): Promise<Enrolment> {
  await page.goto('/dashboard/account?tab=security');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await shown(dialog.getByRole('img', { name: 'QR code for your authenticator app' }));
  const secret = (await dialog.getByRole('code').innerText()).replaceAll(/\s/g, '');
  assert.match(secret, /^[A-Z2-7]{32,}$/);
  const code = (): string => codeOf(secret, world.clock.now());
  await dialog.getByLabel('Code of the app').fill(code());
  await dialog.getByRole('button', { name: 'Confirm app' }).click();
  const recoveryCodes = await storeCodes(page);
  await shown(page.getByText(`${RECOVERY_CODES} codes left.`));
  return { code, recoveryCodes };
}

/** Signs in by the password, after which nothing is open but the page of the second factor. */
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

const APP = 'Code of your authenticator app';
const RECOVERY = 'Recovery code';

/** A code of the app signs in, once: neither the one that set it up nor one that signed in is taken again. */
async function byApp({ world }: CheckContext, { page, owner }: SignedIn, { code }: Enrolment): Promise<void> {
  await enterByPassword(page, owner);
  await prove(page, APP, code());
  await shown(page.getByText(USED_BEFORE));
  world.clock.advance(NEXT_CODE_MILLISECONDS);
  const next = code();
  await prove(page, APP, next);
  await shown(heading(page, 'Keys'));
  await signOut(page);
  await enterByPassword(page, owner);
  await prove(page, APP, next);
  await shown(page.getByText(USED_BEFORE));
}

/** A recovery code signs in once. */
async function byRecovery({ page, owner }: SignedIn, { recoveryCodes: [first = '', second = ''] }: Enrolment): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await prove(page, RECOVERY, first);
  await shown(heading(page, 'Keys'));
  await page.goto('/dashboard/account?tab=security');
  await shown(page.getByText(`${RECOVERY_CODES - 1} codes left.`));
  await signOut(page);
  await enterByPassword(page, owner);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await prove(page, RECOVERY, first);
  await shown(page.getByText(USED_BEFORE));
  await prove(page, RECOVERY, second.toUpperCase());
  await shown(heading(page, 'Keys'));
}

/** An owner sets up an app, and signs in by its codes and by recovery codes. */
export async function authenticatorApp(context: CheckContext): Promise<SignedIn> {
  const owner = await context.owner();
  const { page } = await context.signedIn(owner);
  const enrolment = await enrol(context, page);
  await signOut(page);
  await byApp(context, { owner, page }, enrolment);
  await byRecovery({ owner, page }, enrolment);
  return { owner, page };
}
