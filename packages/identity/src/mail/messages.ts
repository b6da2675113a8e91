import type { Instant } from '@tollgate/core';
import { composeMessage, linkTerms } from './compose-message.js';
import { dashboardLink, dashboardUrl, type LinkMessage, type MailSite, siteOf } from './dashboard-links.js';
import { durationText, momentText } from './mail-times.js';
import type { MailContent } from './mail.js';

export function verifyAddressMessage({ token, lifetimeMilliseconds, ...site }: LinkMessage): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'verify-address', values: { lifetime: durationText(lifetimeMilliseconds, site.language) },
    subject: 'Confirm your e-mail address',
    beforeLink: [`This address was used to sign up for ${product} at ${siteOf(baseUrl)}.`, 'To confirm that it is yours, open this link and enter the password you chose:'],
    link: { label: 'Confirm address', url: dashboardLink(baseUrl, 'verify', token) },
    afterLink: [
      linkTerms(lifetimeMilliseconds),
      'If you did not sign up, ignore this message, or open the link and choose “This was not me”. The account cannot be used unless you confirm it.',
    ],
  }, site);
}

/** Message instead of a verification link, to an address that has an account. */
export function existingAccountMessage(site: MailSite): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'existing-account', values: {},
    subject: 'You already have an account',
    beforeLink: [`This address was used to sign up for ${product} at ${siteOf(baseUrl)}. It has an account there already, so nothing was changed.`, 'You can sign in here:'],
    link: { label: 'Sign in', url: dashboardUrl(baseUrl) },
    afterLink: ['If you have forgotten your password, you can ask for a new one on that page.', 'If you did not try to sign up, you need not do anything.'],
  }, site);
}

export function signInLinkMessage({ token, lifetimeMilliseconds, ...site }: LinkMessage): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'sign-in-link', values: { lifetime: durationText(lifetimeMilliseconds, site.language) },
    subject: 'Your sign-in link',
    beforeLink: [`Open this link to sign in to ${product} at ${siteOf(baseUrl)}:`],
    link: { label: 'Sign in', url: dashboardLink(baseUrl, 'link', token) },
    afterLink: [`${linkTerms(lifetimeMilliseconds)} Do not forward it: anyone who opens it is signed in as you.`, 'If you did not ask for it, ignore this message.'],
  }, site);
}

export function invitationMessage({ token, lifetimeMilliseconds, ...site }: LinkMessage): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'invitation', values: { lifetime: durationText(lifetimeMilliseconds, site.language) },
    subject: `You are invited to ${product}`,
    beforeLink: [`The operators of ${siteOf(baseUrl)} invite you to open an account with ${product}.`, 'To accept and choose a password, open this link:'],
    link: { label: 'Accept the invitation', url: dashboardLink(baseUrl, 'invite', token) },
    afterLink: [linkTerms(lifetimeMilliseconds), 'If you did not expect this invitation, ignore this message.'],
  }, site);
}

export function resetPasswordMessage({ token, lifetimeMilliseconds, ...site }: LinkMessage): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'reset-password', values: { lifetime: durationText(lifetimeMilliseconds, site.language) },
    subject: 'Reset your password',
    beforeLink: [`A password reset was requested for your ${product} account at ${siteOf(baseUrl)}.`, 'To choose a new password, open this link:'],
    link: { label: 'Choose a new password', url: dashboardLink(baseUrl, 'reset', token) },
    afterLink: [
      linkTerms(lifetimeMilliseconds),
      'With the new password you are signed out everywhere, and your passkeys and second factors are removed, unless you are an operator. You can set them up again afterwards.',
      'If you did not request this, ignore this message. Your password stays as it is.',
    ],
  }, site);
}

/** Notice of a changed password, so that the person notices a change by someone else. */
export function passwordChangedMessage({ at, ...site }: MailSite & { readonly at: Instant }): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'password-changed', values: { time: momentText(at, site.language) },
    subject: 'Your password was changed',
    beforeLink: [
      `The password of your ${product} account at ${siteOf(baseUrl)} was changed on ${momentText(at)}. All other sessions were signed out.`,
      'If you changed it, you need not do anything. If you did not, ask for a new password on this page at once, and tell the operators:',
    ],
    link: { label: `Open ${product}`, url: dashboardUrl(baseUrl) },
    afterLink: [],
  }, site);
}

/** Message to the new address. */
export function verifyNewAddressMessage({ token, lifetimeMilliseconds, ...site }: LinkMessage): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'change-address', values: { lifetime: durationText(lifetimeMilliseconds, site.language) },
    subject: 'Confirm your new e-mail address',
    beforeLink: [`This address was entered as the new address of an account with ${product} at ${siteOf(baseUrl)}.`, 'To use it for that account from now on, open this link:'],
    link: { label: 'Confirm the new address', url: dashboardLink(baseUrl, 'change-email', token) },
    afterLink: [linkTerms(lifetimeMilliseconds), 'If you did not request this, ignore this message. The account keeps its current address.'],
  }, site);
}

/** Message to the current address. */
export function confirmAddressChangeMessage({ token, lifetimeMilliseconds, newAddress, ...site }: LinkMessage & { readonly newAddress: string }): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'confirm-change', values: { lifetime: durationText(lifetimeMilliseconds, site.language), new_address: newAddress },
    subject: 'Confirm the change of your e-mail address',
    beforeLink: [
      `A change of the e-mail address of your ${product} account at ${siteOf(baseUrl)} to ${newAddress} was requested.`,
      'If you want this change, open this link. A second message then goes to the new address:',
    ],
    link: { label: 'Confirm the change', url: dashboardLink(baseUrl, 'change-email', token) },
    afterLink: [linkTerms(lifetimeMilliseconds), 'If you did not request this, do not open the link, and change your password: the person who requested it knows your password.'],
  }, site);
}

/** Message to the current address about a change that a program of the operator requested. */
export function confirmRequestedChangeMessage({ token, lifetimeMilliseconds, newAddress, ...site }: LinkMessage & { readonly newAddress: string }): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'confirm-requested-change', values: { lifetime: durationText(lifetimeMilliseconds, site.language), new_address: newAddress },
    subject: 'Confirm the e-mail address that was requested for you',
    beforeLink: [
      `The operators of ${siteOf(baseUrl)} want to change the e-mail address of your ${product} account to ${newAddress}.`,
      'If you want this change, open this link. A second message then goes to the new address:',
    ],
    link: { label: 'Confirm the change', url: dashboardLink(baseUrl, 'change-email', token) },
    afterLink: [linkTerms(lifetimeMilliseconds), 'If you did not ask the operators for it, do not open the link, and tell them. The account keeps its current address.'],
  }, site);
}

export type FactorChange = 'totp-added' | 'totp-removed' | 'recovery-codes-renewed' | 'recovery-code-used' | 'passkey-added' | 'passkey-removed' | 'factors-removed';

const WORDS: Readonly<Record<FactorChange, readonly [subject: string, event: string]>> = {
  'totp-added': ['An authenticator app was added', 'An authenticator app was added to your account'],
  'totp-removed': ['Your authenticator app was removed', 'The authenticator app of your account, with its recovery codes, was removed'],
  'recovery-codes-renewed': ['Your recovery codes were replaced', 'The recovery codes of your account were replaced by new ones'],
  'recovery-code-used': ['A recovery code was used', 'A recovery code of your account was used'],
  'passkey-added': ['A passkey was added', 'A passkey was added to your account'],
  'passkey-removed': ['A passkey was removed', 'A passkey of your account was removed'],
  'factors-removed': ['Your second factors were removed', 'All second factors of your account were removed by an operator on the server'],
};

const GERMAN_EVENTS: Readonly<Record<FactorChange, string>> = {
  'totp-added': 'Ihrem Konto wurde eine Authenticator-App hinzugefügt',
  'totp-removed': 'Die Authenticator-App Ihres Kontos wurde mit ihren Wiederherstellungscodes entfernt',
  'recovery-codes-renewed': 'Die Wiederherstellungscodes Ihres Kontos wurden durch neue ersetzt',
  'recovery-code-used': 'Ein Wiederherstellungscode Ihres Kontos wurde verwendet',
  'passkey-added': 'Ihrem Konto wurde ein Passkey hinzugefügt',
  'passkey-removed': 'Ein Passkey Ihres Kontos wurde entfernt',
  'factors-removed': 'Ein Betreiber hat auf dem Server alle zweiten Faktoren Ihres Kontos entfernt',
};

/** Notice of a changed factor, so that the person notices a change by someone else. */
export function factorChangedMessage({ change, at, ...site }: MailSite & { readonly change: FactorChange; readonly at: Instant }): MailContent {
  const { baseUrl, product } = site;
  const [subject, event] = WORDS[change];
  return composeMessage({
    name: 'factor-changed', values: { event: site.language === 'de' ? GERMAN_EVENTS[change] : event, time: momentText(at, site.language) },
    subject,
    beforeLink: [
      `${event} on ${momentText(at)}, at ${product} (${siteOf(baseUrl)}).`,
      'If this was you, you need not do anything. If it was not, reset your password on this page at once and tell the operators. The reset also removes your second factors, unless you are an operator:',
    ],
    link: { label: `Open ${product}`, url: dashboardUrl(baseUrl) },
    afterLink: [],
  }, site);
}

/** States until when the deletion can be cancelled, and what is kept afterwards. */
export function deletionScheduledMessage({ dueAt, ...site }: MailSite & { readonly dueAt: Instant }): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'deletion-scheduled', values: { due: momentText(dueAt, site.language) },
    subject: 'Your account is going to be deleted',
    beforeLink: [
      `Your ${product} account at ${siteOf(baseUrl)} is deleted on ${momentText(dueAt)}. Its keys are refused from now on. The rest of its balance expires with it, and a payment that arrives later is refunded.`,
      'Your name, address and password are then erased. Usage records and ledger entries are kept without your name, but with the user values that your requests sent.',
      'Until then you can cancel the deletion. If you did not ask for it, cancel it, change your password and tell the operators:',
    ],
    link: { label: `Open ${product}`, url: dashboardUrl(baseUrl) },
    afterLink: [],
  }, site);
}

/** Message by which an operator tests the mail settings. */
export function testMessage(site: MailSite): MailContent {
  const { product } = site;
  return composeMessage({
    name: 'test', values: {},
    subject: `Test message from ${product}`,
    beforeLink: ['This message shows that your gateway can send mail.', 'It was sent by the command `tollgate mail test`. You need not do anything.'],
    link: null,
    afterLink: [],
  }, site);
}
