import { describe, expect, it } from '@jest/globals';
import { instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { confirmSignInMessage, failuresMessage } from '../attempts/failure-messages.js';
import { composeMessage } from './compose-message.js';
import { dashboardLink, dashboardUrl, type LinkMessage, siteOf } from './dashboard-links.js';
import { MAX_MAIL_CHARACTERS, MAX_MAIL_SUBJECT_CHARACTERS, type MailContent } from './mail.js';
import { addressChangedMessage } from './address-changed-message.js';
import {
  confirmAddressChangeMessage, confirmRequestedChangeMessage, deletionScheduledMessage, existingAccountMessage, type FactorChange, factorChangedMessage, invitationMessage,
  passwordChangedMessage, resetPasswordMessage, signInLinkMessage, testMessage, verifyAddressMessage, verifyNewAddressMessage,
} from './messages.js';

const BASE = 'https://api.example.com';
const SITE = { baseUrl: BASE, product: 'Acme AI' };
const LINK: LinkMessage = { ...SITE, token: 'abc_DEF-123', lifetimeMilliseconds: MILLISECONDS_PER_HOUR };

/** Messages with a token in their link, and the page that the link opens. */
const WITH_TOKEN: readonly (readonly [page: string, message: MailContent])[] = [
  ['verify', verifyAddressMessage(LINK)],
  ['reset', resetPasswordMessage(LINK)],
  ['invite', invitationMessage({ ...LINK, lifetimeMilliseconds: 7 * MILLISECONDS_PER_DAY })],
  ['change-email', confirmAddressChangeMessage({ ...LINK, newAddress: 'new@example.com' })],
  ['change-email', confirmRequestedChangeMessage({ ...LINK, newAddress: 'new@example.com' })],
  ['change-email', verifyNewAddressMessage(LINK)],
  ['link', confirmSignInMessage({ ...LINK, lifetimeMilliseconds: 15 * MILLISECONDS_PER_MINUTE })],
  ['link', signInLinkMessage({ ...LINK, lifetimeMilliseconds: 15 * MILLISECONDS_PER_MINUTE })],
];

const EVENING = instant(Date.UTC(2026, 10, 22, 19, 5, 59));
const FACTOR_CHANGES: readonly FactorChange[] = ['totp-added', 'totp-removed', 'recovery-codes-renewed', 'recovery-code-used', 'passkey-added', 'passkey-removed'];
const WITHOUT_TOKEN = [
  existingAccountMessage(SITE), passwordChangedMessage({ ...SITE, at: EVENING }), testMessage(SITE),
  deletionScheduledMessage({ ...SITE, dueAt: EVENING }),
  ...(['proofs-locked', 'many-failures'] as const).map((notice) => failuresMessage({ ...SITE, notice, at: EVENING })),
  ...(['former', 'new'] as const).map((address) => addressChangedMessage({ ...SITE, address, at: EVENING })),
  ...FACTOR_CHANGES.map((change) => factorChangedMessage({ ...SITE, change, at: EVENING })),
];

const ALL = [...WITH_TOKEN.map(([, message]) => message), ...WITHOUT_TOKEN];

/** The visible text of the HTML. */
function wordsOf(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  return body.replaceAll(/<[^>]+>/g, ' ').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim();
}

describe('a message with a token', () => {
  it.each(WITH_TOKEN)('opens the page %s, with the token only in the fragment', (page, { text, html }) => {
    const url = `https://api.example.com/dashboard/${page}#token=abc_DEF-123`;
    expect(text.split('\n').filter((line) => line === url)).toHaveLength(1);
    expect(text.split('abc_DEF-123')).toHaveLength(2);
    expect(html).toContain(`<a href="${url}"`);
  });

  it.each(WITH_TOKEN)('states the lifetime of its link, and what to do if it was not requested: %s', (_page, { text }) => {
    expect(text).toMatch(/The link works once and expires in (15 minutes|1 hour|7 days)\./);
    expect(text).toMatch(/If you did not /);
  });
});

describe('every message', () => {
  it.each(ALL.map((message) => [message.subject, message] as const))('has the same content as text and as HTML, without external resources: %s', (subject, { text, html }) => {
    for (const paragraph of text.trim().split('\n\n')) expect(wordsOf(html)).toContain(paragraph);
    expect(html).not.toMatch(/<img|<link|<script|src=|url\(/);
    expect(html).toContain(`<title>${subject}</title>`);
  });

  it.each(ALL.map((message) => [message.subject, message] as const))('begins with the name of the service: %s', (_subject, { html }) => {
    expect(wordsOf(html)).toMatch(/^Acme AI /);
  });

  it.each(ALL.map((message) => [message.subject, message] as const))('is far below the maximum size: %s', (subject, { text, html }) => {
    expect(subject.length).toBeLessThan(MAX_MAIL_SUBJECT_CHARACTERS / 2);
    expect(text.length + html.length).toBeLessThan(MAX_MAIL_CHARACTERS / 20);
  });

  it('except the test message names the installation that it comes from', () => {
    expect(ALL.filter(({ text }) => !text.includes('api.example.com')).map(({ subject }) => subject)).toEqual(['Test message from Acme AI']);
  });

  it('has the name that the operator gave the service, and no other', () => {
    const words = ALL.map(({ subject, text, html }) => `${subject} ${text} ${html}`);
    expect(words.filter((text) => !text.includes('Acme AI') || text.includes('Tollgate'))).toEqual([]);
  });

  it('has a unique subject', () => {
    expect(new Set(ALL.map(({ subject }) => subject)).size).toBe(ALL.length);
  });
});

it('the message about a changed password says when it was changed', () => {
  expect(WITHOUT_TOKEN[1]?.text).toContain('was changed on 2026-11-22 at 19:05 UTC.');
});

it('the message about a change of address names the new address', () => {
  expect(WITH_TOKEN[3]?.[1].text).toContain('to new@example.com was requested');
});

describe('composeMessage', () => {
  const hostile = '</p><script>alert("1")</script>&amp;\'';

  it('escapes text in HTML', () => {
    const { html, text } = composeMessage({ name: 'test', values: {}, subject: hostile, beforeLink: [hostile], link: { label: hostile, url: `https://x/"onclick="y` }, afterLink: [hostile] }, SITE);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('"onclick');
    expect(wordsOf(html)).toContain('</p><script>alert("1")</script>&amp;\'');
    expect(text).toContain(hostile);
  });
});

describe('links', () => {
  it.each(['https://api.example.com', 'https://api.example.com/'])('are built on %s', (base) => {
    expect([dashboardUrl(base), dashboardLink(base, 'verify', 'a'), siteOf(base)])
      .toEqual(['https://api.example.com/dashboard', 'https://api.example.com/dashboard/verify#token=a', 'api.example.com']);
  });

  it.each(['', 'a b', 'a&b', 'a#b', 'a\n'])('are not built with the token %j', (token) => {
    expect(() => dashboardLink(BASE, 'verify', token)).toThrow('a token is letters, digits, - and _');
  });
});
