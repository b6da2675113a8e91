import { instant, invariant, parseRfc3339 } from '@tollgate/core';
import type { MessageParts } from '../mail/compose-message.js';
import { dashboardUrl, type MailSite, siteOf, tokensWord } from '../mail/dashboard-links.js';
import type { MailLanguage } from '../mail/mail-language.js';
import { momentText } from '../mail/mail-times.js';
import type { Alert } from './alert-records.js';

type CreditAlert = Pick<Alert, 'events'>;

interface Expiring {
  readonly amount: string;
  readonly when: string;
}

/** The newest event of each credit, because an earlier event may state more than is left. */
function expiringIn({ events }: CreditAlert, language?: MailLanguage): readonly Expiring[] {
  const newest = new Map(events.map(({ data }) => [data['ledger_entry'], data]));
  return [...newest.values()].map(({ svc_tokens: amount, expires_at: expiresAt }) => {
    invariant(typeof amount === 'string' && typeof expiresAt === 'string', 'events of credits that expire have texts');
    return { amount, when: momentText(parseRfc3339(expiresAt) ?? instant(0), language) };
  });
}

export function creditParts(alert: CreditAlert, site: MailSite, turnOff: string): MessageParts {
  const { baseUrl, product, language } = site;
  const word = tokensWord(site);
  const credits = expiringIn(alert, language);
  const texts = credits.map(({ amount, when }) => (language === 'de' ? `${amount} ${word} verfallen am ${when}.` : `${amount} ${word} expire on ${when}.`));
  return {
    name: 'credit-expiring', values: { credits: texts },
    subject: credits.length === 1 ? `${credits[0]?.amount ?? ''} ${word} of your credit expire soon` : 'Several credits of yours expire soon',
    beforeLink: [
      `This is about your ${product} account at ${siteOf(baseUrl)}.`,
      ...texts,
      'Requests use the credit that expires first. What is left of it at that time is taken from your balance.',
      'What is left of each credit is on this page:',
    ],
    link: { label: 'Open billing', url: `${dashboardUrl(baseUrl)}/billing` },
    afterLink: [turnOff],
  };
}
