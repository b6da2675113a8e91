import type { Page } from 'playwright-core';
import { mailedLink } from '../world/mail.js';
import { PASSWORD } from '../world/open-world.js';
import type { Check } from './check.js';
import { type CheckContext, gone, heading, shown } from './check-context.js';
import { authenticatorApp } from './second-factors.js';
import { enter, type SignedIn, signOut } from './session-steps.js';

const NEW_PASSWORD = 'another horse battery';

/** A device that makes and uses passkeys without a person. */
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

/** A new password by mail for an owner who has lost the second factor; the sessions from before end, and the password from before is refused. */
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
  await shown(old.getByText('E-mail or password is not right.'));
  await enter(old, owner.email, NEW_PASSWORD);
  await shown(heading(old, 'Overview'));
  await everywhere(old, page);
}

/** Ending all sessions ends those of other browsers too. */
async function everywhere(page: Page, other: Page): Promise<void> {
  await page.goto('/dashboard/account?tab=sessions');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog', { name: 'Sign out everywhere?' }).getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL(/sign-in/);
  await other.reload();
  await other.waitForURL(/sign-in/);
}

async function run(context: CheckContext): Promise<void> {
  await passkey(context);
  await reset(context, await authenticatorApp(context));
}

export const waysIn: Check = { number: 16, title: 'A passkey signs in, and so do an app and recovery codes, each code once; a password is reset by mail; signing out everywhere ends all sessions', run };
