import { later } from '@tollgate/core';
import type { MailId, MailTransport, OutgoingMail } from '@tollgate/identity';
import type { ReceivedMail } from '../servers/mail-server.js';
import { STORE_NOON } from './store-subject.js';
import { afterEach, describe, expect, it } from './test-runner.js';

/** A transport and its receiver. Messages come from `Tollgate <tollgate@gateway.example.test>`. */
interface MailTransportSubject {
  readonly transport: MailTransport;
  received(): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

type MakeMailTransport = () => Promise<MailTransportSubject>;

/** Each number gives a different id. */
export function anOutgoingMail(number: number, differences: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    id: `mail_${number}` as MailId, storedAt: later(STORE_NOON, number * 1000), to: 'ada@example.test',
    subject: `Grüße ${number}`, text: `Zeile 1 👋\n.\nFrom here on\n${'long '.repeat(300)}\n`, html: '<p>Zeile <b>1</b> 👋</p>\n', ...differences,
  };
}

export function mailTransportContract(name: string, make: MakeMailTransport): void {
  describe(`MailTransport contract: ${name}`, () => {
    let subject: MailTransportSubject;
    afterEach(() => subject.close());

    async function deliver(...mails: readonly OutgoingMail[]): Promise<readonly ReceivedMail[]> {
      subject = await make();
      for (const mail of mails) expect(await subject.transport.deliver(mail)).toMatchObject({ outcome: 'delivered' });
      return subject.received();
    }

    it('delivers subject, text and HTML as they are, with date and sender', async () => {
      const mail = anOutgoingMail(1);
      const [received] = await deliver(mail);
      expect(received).toMatchObject({
        subject: mail.subject, text: mail.text, html: mail.html, to: 'ada@example.test', date: mail.storedAt,
        messageId: '<mail_1@gateway.example.test>',
      });
      expect(received?.from).toMatch(/^"?Tollgate"? <tollgate@gateway\.example\.test>$/);
    });

    it('marks messages as automatically generated', async () => {
      const [received] = await deliver(anOutgoingMail(1));
      expect(received?.raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    });

    it('gives a repeated message the same Message-ID and date', async () => {
      const received = await deliver(anOutgoingMail(1), anOutgoingMail(1));
      expect(new Set(received.map(({ messageId, date }) => `${messageId} ${date}`)).size).toBe(1);
    });

    it.each(['\r\nBcc: eve@example.test', '\nBcc: eve@example.test', '\rBcc: eve@example.test', '\r\n\r\n<p>body</p>'])('keeps a subject from adding a header: %j', async (injected) => {
      const [received] = await deliver(anOutgoingMail(1, { subject: `Hello${injected}` }));
      expect(received?.headerNames).not.toContain('bcc');
      expect(received?.subject.startsWith('Hello ')).toBe(true);
      expect(received?.to).toBe('ada@example.test');
      expect(received?.text).toBe(anOutgoingMail(1).text);
    });

    it('reports the delivery without naming the recipient', async () => {
      subject = await make();
      const outcome = await subject.transport.deliver(anOutgoingMail(1));
      expect(JSON.stringify(outcome)).not.toMatch(/ada|Grüße/);
    });
  });
}
