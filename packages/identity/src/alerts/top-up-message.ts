import { invariant, type JsonValue } from '@tollgate/core';
import type { MessageParts } from '../mail/compose-message.js';
import { dashboardUrl, type MailSite, siteOf } from '../mail/dashboard-links.js';
import type { MailLanguage } from '../mail/mail-language.js';
import { momentText } from '../mail/mail-times.js';
import type { Alert } from './alert-records.js';

const REASONS: Readonly<Record<string, string>> = {
  'declined': 'three charges in a row were declined',
  'no-method': 'the saved payment method cannot be charged any more',
  'not-for-sale': 'what it bought is not for sale at that price any more',
  'fewer-tokens': 'it would buy less credit for that price than you agreed to',
  'refunded': 'a payment of the account was refunded',
  'disputed': 'a payment of the account was disputed',
  'unbookable': 'a charge was paid but could not be booked; the operators see it',
  'unconfirmed': 'the payment provider did not say whether a charge was paid; the operators see it',
};

const GERMAN_REASONS: Readonly<Record<string, string>> = {
  'declined': 'Drei Belastungen nacheinander wurden abgelehnt',
  'no-method': 'Das gespeicherte Zahlungsmittel kann nicht mehr belastet werden',
  'not-for-sale': 'Was gekauft wurde, wird zu diesem Preis nicht mehr verkauft',
  'fewer-tokens': 'Zu diesem Preis gäbe es weniger Guthaben, als Sie vereinbart haben',
  'refunded': 'Eine Zahlung des Kontos wurde erstattet',
  'disputed': 'Eine Zahlung des Kontos wurde angefochten',
  'unbookable': 'Eine Belastung wurde bezahlt, konnte aber nicht gebucht werden; die Betreiber sehen es',
  'unconfirmed': 'Der Zahlungsanbieter hat nicht gesagt, ob eine Belastung bezahlt wurde; die Betreiber sehen es',
};

function whyOf(reason: JsonValue | undefined, language?: MailLanguage): string {
  const isGerman = language === 'de';
  const reasons = isGerman ? GERMAN_REASONS : REASONS;
  return (typeof reason === 'string' ? reasons[reason] : undefined) ?? (isGerman ? 'Es konnte nicht weitergehen' : 'it could not go on');
}

/** The message is about the newest event. */
export function topUpParts({ events, paymentUrls }: Pick<Alert, 'events' | 'paymentUrls'>, { baseUrl, product, language }: MailSite): MessageParts {
  const newest = events.at(-1);
  invariant(newest !== undefined, 'an alert is about an event');
  const { type, at, data: { payment_id: payment, reason, declines } } = newest;
  const about = `This is about the automatic top-up of your ${product} account at ${siteOf(baseUrl)}, as of ${momentText(at)}.`;
  const billing = `${dashboardUrl(baseUrl)}/billing`;
  if (type === 'automatic_top_up.authentication_needed') {
    const known = typeof payment === 'string' ? paymentUrls.get(payment) : undefined;
    return {
      name: 'top-up-authentication', values: { time: momentText(at, language) },
      subject: 'Confirm the charge that adds credit to your account',
      beforeLink: [about, 'Your bank wants you to confirm the charge. Until you do, no credit is added, and nothing else is charged. The page of the payment provider asks you for it:'],
      link: { label: 'Confirm the charge', url: known ?? (typeof payment === 'string' ? `${billing}/payments/${payment}` : billing) },
      afterLink: [],
    };
  }
  if (type === 'automatic_top_up.declined') {
    return {
      name: 'top-up-declined', values: { time: momentText(at, language) },
      subject: 'A charge of your payment method was declined',
      beforeLink: [
        about,
        `Your balance is below your threshold, and charging your saved payment method was declined${declines === 2 ? ' for the second time in a row' : ''}. It is tried again later; after the third time it is switched off.`,
        'To add credit now, or to save another payment method, open this page:',
      ],
      link: { label: 'Open Billing', url: billing },
      afterLink: [],
    };
  }
  const why = whyOf(reason, language);
  return {
    name: 'top-up-stopped', values: { reason: why, time: momentText(at, language) },
    subject: 'Automatic top-up was switched off',
    beforeLink: [about, `It was switched off, because ${why}. Nothing more is charged. You can add credit, or switch it on again, on this page:`],
    link: { label: 'Open Billing', url: billing },
    afterLink: [],
  };
}
