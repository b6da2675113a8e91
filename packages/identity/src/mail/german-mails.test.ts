import { describe, expect, it } from '@jest/globals';
import { instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { alertMessage } from '../alerts/alert-message.js';
import { composeMessage } from './compose-message.js';
import { GERMAN_MAILS } from './german-mails.js';
import { MAIL_NAMES, MAIL_PLACEHOLDERS, PARAGRAPH_PLACEHOLDERS } from './mail-names.js';
import { readMailTemplate } from './mail-templates.js';
import { factorChangedMessage, resetPasswordMessage } from './messages.js';

const SITE = { baseUrl: 'https://api.example.com', product: 'Acme AI', language: 'de' } as const;
const RESET = { ...SITE, token: 'abc', lifetimeMilliseconds: MILLISECONDS_PER_HOUR };

describe.each(MAIL_NAMES)('the German text of %s', (name) => {
  const { subject, paragraphs, label } = GERMAN_MAILS[name];

  it('is a valid template for an operator', () => {
    expect(readMailTemplate(name, `Subject: ${subject}\n\n${paragraphs.join('\n\n')}`)).toEqual({ template: { subject, paragraphs } });
  });

  it('has all required placeholders and lists, and a button if it has a link', () => {
    const { required, optional } = MAIL_PLACEHOLDERS[name];
    const used = [subject, ...paragraphs].join('\n');
    const lists = [...required, ...optional].filter((placeholder) => PARAGRAPH_PLACEHOLDERS.has(placeholder));
    expect([...required, ...lists].filter((placeholder) => !used.includes(`{{${placeholder}}}`))).toEqual([]);
    expect(label !== null).toBe(used.includes('{{link}}'));
  });
});

describe('a message to a person who reads German', () => {
  it('has German text, times and button, and declares German as its language', () => {
    const { subject, text, html } = resetPasswordMessage(RESET);
    expect(subject).toBe('Setzen Sie Ihr Passwort zurück');
    expect(text).toContain('Für Ihr Konto von Acme AI unter api.example.com');
    expect(text).toContain('https://api.example.com/dashboard/reset#token=abc');
    expect(text).toContain('läuft in 1 Stunde ab');
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('>Neues Passwort wählen</a>');
    expect(text).not.toContain('{{');
  });

  it('says in German what happened', () => {
    const { subject, text } = factorChangedMessage({ ...SITE, change: 'passkey-added', at: instant(0) });
    expect([subject, text]).toEqual(['Ihrem Konto wurde ein Passkey hinzugefügt', expect.stringContaining('Ihrem Konto wurde ein Passkey hinzugefügt, am 01.01.1970 um 00:00 Uhr (UTC), bei Acme AI')]);
  });

  it('counts tokens and names periods in German', () => {
    const event = { id: 'evt_1', type: 'account.cap_reached', accountId: 'acct_1', externalId: null, accountSequence: 1, at: instant(0), data: { period: '2026-11', limit: 1_000_000, used: 998_765 } } as never;
    const { text } = alertMessage({ kind: 'account.cap_reached', events: [event], keyNames: new Map(), webhookUrls: new Map(), paymentUrls: new Map() }, { ...SITE, creditAdvice: null });
    expect(text).toContain('998.765 von 1.000.000 Modell-Tokens, die der Tarif für den Monat 11.2026 (UTC) erlaubt');
  });
});

describe('texts of the operator', () => {
  const own = { subject: 'Passwort für {{product}}', paragraphs: ['{{link}}'] };

  it.each([['reset-password', 'en', 'Passwort für Acme AI'], ['reset-password', 'de', 'Passwort für Acme AI'], ['reset-password.de', 'en', 'Reset your password'], ['reset-password.de', 'de', 'Passwort für Acme AI'], ['reset-password.en', 'de', 'Setzen Sie Ihr Passwort zurück']] as const)(
    'for %s give a reader of %s the subject “%s”', (name, language, subject) => {
      expect(resetPasswordMessage({ ...RESET, language, templates: new Map([[name, own]]) }).subject).toBe(subject);
    },
  );

  it('in the reader’s language take precedence over those without a language', () => {
    const templates = new Map([['test', { subject: 'Any', paragraphs: ['Any'] }], ['test.de', { subject: 'Deutsch', paragraphs: ['Deutsch'] }]] as const);
    expect(composeMessage({ name: 'test', values: {}, subject: 'Own', beforeLink: ['Own'], link: null, afterLink: [] }, { ...SITE, templates }).subject).toBe('Deutsch');
  });
});
