import { later } from '@tollgate/core';
import { MAIL_PICTURE_ID, type MailId, type MailPicture, type MailTransport, type OutgoingMail } from '@tollgate/identity';
import type { ReceivedMail } from '../servers/mail-server.js';
import { STORE_NOON } from './store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from './test-runner.js';

/** A transport and what its receiver gets. The sender of the messages is `Tollgate <tollgate@gateway.example.test>`. */
interface MailTransportSubject {
  readonly transport: MailTransport;
  received(): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

/** Makes a transport that attaches the picture to the messages whose HTML shows it. */
type MakeMailTransport = (picture: MailPicture | null) => Promise<MailTransportSubject>;

const PICTURE: MailPicture = { mediaType: 'image/png', bytes: Buffer.from('a picture') };
const SHOWING = `<p><img src="cid:${MAIL_PICTURE_ID}" alt="">Hello</p>\n`;

/** A message whose id is different for each number. */
export function anOutgoingMail(number: number, differences: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    id: `mail_${number}` as MailId, storedAt: later(STORE_NOON, number * 1000), to: 'ada@example.test',
    subject: `Grüße ${number}`, text: `Zeile 1 👋\n.\nFrom here on\n${'long '.repeat(300)}\n`, html: '<p>Zeile <b>1</b> 👋</p>\n', ...differences,
  };
}

export function mailTransportContract(name: string, make: MakeMailTransport): void {
  describe(`MailTransport contract: ${name}`, () => {
    let subject: MailTransportSubject;
    let picture: MailPicture | null = null;
    beforeEach(() => {
      picture = null;
    });
    afterEach(() => subject.close());

    async function deliver(...mails: readonly OutgoingMail[]): Promise<readonly ReceivedMail[]> {
      subject = await make(picture);
      for (const mail of mails) expect(await subject.transport.deliver(mail)).toMatchObject({ outcome: 'delivered' });
      return subject.received();
    }

    it('delivers subject, text and HTML unchanged, with date and sender', async () => {
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

    it.each(['\r\nBcc: eve@example.test', '\nBcc: eve@example.test', '\rBcc: eve@example.test', '\r\n\r\n<p>body</p>'])('does not let a subject add a header: %j', async (injected) => {
      const [received] = await deliver(anOutgoingMail(1, { subject: `Hello${injected}` }));
      expect(received?.headerNames).not.toContain('bcc');
      expect(received?.subject.startsWith('Hello ')).toBe(true);
      expect(received?.to).toBe('ada@example.test');
      expect(received?.text).toBe(anOutgoingMail(1).text);
    });

    it('attaches the picture to messages that show it, and to no others', async () => {
      picture = PICTURE;
      const [showing, plain] = await deliver(anOutgoingMail(1, { html: SHOWING }), anOutgoingMail(2));
      // The parser inserts attached pictures where the HTML refers to them.
      expect(showing?.html).toBe(SHOWING.replace(`cid:${MAIL_PICTURE_ID}`, `data:image/png;base64,${Buffer.from(PICTURE.bytes).toString('base64')}`));
      expect(showing?.raw).toMatch(/^Content-Disposition: inline/m);
      expect(plain?.raw).not.toContain(MAIL_PICTURE_ID);
    });

    it('delivers a message without its picture if the picture no longer exists', async () => {
      const [received] = await deliver(anOutgoingMail(1, { html: SHOWING }));
      expect(received?.raw).not.toContain('Content-Disposition');
      expect(received?.text).toBe(anOutgoingMail(1).text);
    });

    it('names neither recipient nor subject in the outcome of a delivery', async () => {
      subject = await make(picture);
      const outcome = await subject.transport.deliver(anOutgoingMail(1));
      expect(JSON.stringify(outcome)).not.toMatch(/ada|Grüße/);
    });
  });
}
