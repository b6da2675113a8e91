import type { Instant } from '@tollgate/core';
import { composeMessage, linkTerms } from '../mail/compose-message.js';
import { dashboardLink, dashboardUrl, type LinkMessage, type MailSite, siteOf } from '../mail/dashboard-links.js';
import { durationText, momentText } from '../mail/mail-times.js';
import type { MailContent } from '../mail/mail.js';
import type { FailureNotice } from './failures-in-a-row.js';

/** Message with the link that a sign-in needs after too many failures, in addition to the right password. */
export function confirmSignInMessage({ token, lifetimeMilliseconds, ...site }: LinkMessage): MailContent {
  const { baseUrl, product } = site;
  return composeMessage({
    name: 'confirm-sign-in', values: { lifetime: durationText(lifetimeMilliseconds, site.language) },
    subject: 'Confirm your sign-in',
    beforeLink: [
      `A new browser is trying to sign in to your ${product} account at ${siteOf(baseUrl)}. The sign-in must be confirmed because there were many failed attempts.`,
      'If this is you, open this link in that browser:',
    ],
    link: { label: 'Confirm the sign-in', url: dashboardLink(baseUrl, 'link', token) },
    afterLink: [
      `${linkTerms(lifetimeMilliseconds)} Do not forward it: anyone who opens it is signed in as you.`,
      'If you did not try to sign in, do not open the link, and change your password: another person knows it.',
    ],
  }, site);
}

const FAILURES: Readonly<Record<FailureNotice, readonly [subject: string, event: string]>> = {
  'proofs-locked': ['Wrong passwords or codes were entered', 'Wrong passwords or codes were entered several times in a row for a session of your account'],
  'many-failures': ['Many failed sign-ins', 'There were 100 wrong passwords or codes in a row for your account'],
};

const GERMAN_FAILURES: Readonly<Record<FailureNotice, string>> = {
  'proofs-locked': 'In einer Sitzung Ihres Kontos wurden mehrmals nacheinander falsche Passwörter oder Codes eingegeben. Weitere Versuche werden eine Weile abgelehnt',
  'many-failures': 'Für Ihr Konto wurden 100-mal nacheinander falsche Passwörter oder Codes eingegeben. Browser, die Sie noch nicht benutzt haben, brauchen jetzt zur Anmeldung einen Link aus einer Nachricht an diese Adresse',
};

/** Warns a person that someone is guessing the password or codes. */
export function failuresMessage({ notice, at, ...site }: MailSite & { readonly notice: FailureNotice; readonly at: Instant }): MailContent {
  const { baseUrl, product } = site;
  const [subject, event] = FAILURES[notice];
  return composeMessage({
    name: 'failed-sign-ins', values: { event: site.language === 'de' ? GERMAN_FAILURES[notice] : event, time: momentText(at, site.language) },
    subject,
    beforeLink: [
      `${event} at ${product} (${siteOf(baseUrl)}), the last of them on ${momentText(at)}. ${notice === 'proofs-locked' ? 'Further attempts are refused for a while.' : 'Browsers that you have not used before now need a link from a message to this address to sign in.'}`,
      'If this was you, you need not do anything. If it was not, check your account for changes, and choose a password that you use nowhere else:',
    ],
    link: { label: `Open ${product}`, url: dashboardUrl(baseUrl) },
    afterLink: [],
  }, site);
}
