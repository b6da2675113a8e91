import { describe, expect, it } from '@jest/globals';
import { instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { alertMessage } from '../alerts/alert-message.js';
import { MAX_MAIL_CHARACTERS, MAX_MAIL_SUBJECT_CHARACTERS } from './mail.js';
import { MAIL_NAMES, MAIL_PLACEHOLDERS, type MailName } from './mail-names.js';
import { MAX_TEMPLATE_CHARACTERS, type MailTemplates, readMailTemplate } from './mail-templates.js';
import { confirmAddressChangeMessage, existingAccountMessage, resetPasswordMessage } from './messages.js';

const SITE = { baseUrl: 'https://api.example.com', product: 'Acme AI' };
const RESET = { ...SITE, token: 'abc', lifetimeMilliseconds: MILLISECONDS_PER_HOUR };

function templatesOf(name: MailName, text: string): MailTemplates {
  const reading = readMailTemplate(name, text);
  if ('problem' in reading) throw new Error(reading.problem);
  return new Map([[name, reading.template]]);
}

function problemOf(name: MailName, text: string): string | null {
  const reading = readMailTemplate(name, text);
  return 'problem' in reading ? reading.problem : null;
}

describe('a text of the operator', () => {
  it('replaces subject and text; its link becomes a button', () => {
    const templates = templatesOf('reset-password', '\uFEFFSubject: Neues Passwort für {{product}}\r\n\r\nSo wählen Sie\r\nein neues:\r\n\r\n{{link}}\r\n\r\nGültig: {{lifetime}}. Ihr {{product}} auf {{site}}\r\n');
    const { subject, text, html } = resetPasswordMessage({ ...RESET, templates });
    expect(subject).toBe('Neues Passwort für Acme AI');
    expect(text).toBe('So wählen Sie ein neues:\n\nhttps://api.example.com/dashboard/reset#token=abc\n\nGültig: 1 hour. Ihr Acme AI auf api.example.com\n');
    expect(html).toMatch(/<a href="https:\/\/api\.example\.com\/dashboard\/reset#token=abc" class="act" style="[^"]*">Choose a new password<\/a>/);
  });

  it('may leave out a link that is not required', () => {
    const { text, html } = existingAccountMessage({ ...SITE, templates: templatesOf('existing-account', 'Subject: Hello\n\nYou have an account.') });
    expect(text).toBe('You have an account.\n');
    expect(html).not.toContain('<a ');
  });

  it('changes no other message', () => {
    expect(resetPasswordMessage({ ...RESET, templates: templatesOf('existing-account', 'Subject: Hello\n\nHello') })).toEqual(resetPasswordMessage(RESET));
  });

  it('is escaped in HTML, and values are not searched for placeholders', () => {
    const templates = templatesOf('confirm-change', 'Subject: <b>\n\n<script>{{new_address}}</script>\n\n{{link}}');
    const { text, html } = confirmAddressChangeMessage({ ...RESET, newAddress: '{{site}}&<i>@example.com', templates });
    expect(text).toContain('<script>{{site}}&<i>@example.com</script>');
    expect(html).toContain('<p>&lt;script&gt;{{site}}&amp;&lt;i&gt;@example.com&lt;/script&gt;</p>');
    expect(html).not.toContain('<script');
  });

  it('becomes a message with a paragraph for each item of a list', () => {
    const event = (id: string) => ({ id: `evt_${id}`, type: 'key.limit_reached', accountId: 'acct_1', externalId: null, accountSequence: 1, at: instant(0), data: { key_id: id, period: '2026-11', limit: '5', spent: '4' } });
    const alert = { kind: 'key.limit_reached', events: [event('key_1'), event('key_2')], keyNames: new Map(), webhookUrls: new Map() } as unknown as Parameters<typeof alertMessage>[0];
    const { text } = alertMessage(alert, { ...SITE, creditAdvice: null, templates: templatesOf('key-limit-reached', 'Subject: Keys\n\n{{keys}}\n\nBye.') });
    expect(text.split('\n\n').map((paragraph) => paragraph.slice(0, 18))).toEqual(['The API key key_1 ', 'The API key key_2 ', 'Bye.\n']);
  });

  it('stays below the maximum size of a message, whatever it contains', () => {
    const filler = '{{product}}'.repeat(5) + '&'.repeat(MAX_TEMPLATE_CHARACTERS - 200);
    const { subject, text, html } = existingAccountMessage({ baseUrl: SITE.baseUrl, product: 'P'.repeat(40), templates: templatesOf('existing-account', `Subject: ${'&'.repeat(100)}\n\n${filler}\n\n{{link}}`) });
    expect(subject.length).toBeLessThanOrEqual(MAX_MAIL_SUBJECT_CHARACTERS);
    expect(subject.length + text.length + html.length).toBeLessThan(MAX_MAIL_CHARACTERS);
  });

  it.each<[string, MailName, string, string]>([
    ['without a subject', 'test', 'Hello', 'must begin with a line "Subject: …"'],
    ['with an empty subject', 'test', 'Subject: \n\nHello', 'must begin with a line "Subject: …"'],
    ['with a long subject', 'test', `Subject: ${'x'.repeat(101)}\n\nHello`, 'has a subject of more than 100 characters'],
    ['without a text', 'test', 'Subject: Hello\n\n \n', 'must have a text below its subject'],
    ['that is too long', 'test', `Subject: Hello\n\n${'x'.repeat(6_000)}`, 'has more than 6000 characters'],
    ['with an unknown placeholder', 'test', 'Subject: Hello\n\n{{link}}', 'has the unknown placeholder {{link}}; known are {{product}}, {{site}}, {{tokens}}'],
    ['with a placeholder in another letter case', 'invitation', 'Subject: Hello\n\n{{Link}}', 'has the unknown placeholder {{Link}}; known are {{product}}, {{site}}, {{tokens}}, {{link}}, {{lifetime}}'],
    ['without the link', 'invitation', 'Subject: Hello\n\nHello', 'lacks {{link}} in its text'],
    ['with a required placeholder in the subject alone', 'price-change', 'Subject: {{day}}\n\n{{prices}}', 'lacks {{day}} in its text'],
    ['without two required placeholders', 'confirm-change', 'Subject: Hello\n\nHello', 'lacks {{link}}, {{new_address}} in its text'],
    ['with a link in a sentence', 'invitation', 'Subject: Hello\n\nOpen {{link}} now', 'must have {{link}} once, alone in a paragraph'],
    ['with two links', 'invitation', 'Subject: Hello\n\n{{link}}\n\n{{link}}', 'must have {{link}} once, alone in a paragraph'],
    ['with a link in its subject', 'invitation', 'Subject: {{link}}\n\n{{link}}', 'must have {{link}} once, alone in a paragraph'],
    ['that repeats a placeholder', 'test', `Subject: Hello\n\n${'{{product}}'.repeat(6)}`, 'must not have {{product}} more than 5 times'],
  ])('is refused %s', (_what, name, text, problem) => {
    expect(problemOf(name, text)).toBe(problem);
  });

  it('may use every placeholder of its message', () => {
    const problems = MAIL_NAMES.map((name) => {
      const { required, optional } = MAIL_PLACEHOLDERS[name];
      return problemOf(name, `Subject: {{product}}\n\n{{site}}\n\n${[...required, ...optional].map((one) => `{{${one}}}`).join('\n\n')}`);
    });
    expect(new Set(problems)).toEqual(new Set([null]));
  });
});
