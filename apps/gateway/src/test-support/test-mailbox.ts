import { openMailTransport } from '@tollgate/adapters-mail';
import { until } from '@tollgate/testkit';
import { MailServer, type ReceivedMail } from '@tollgate/testkit/mail-server';
import type { MailRoute } from '../background/mail-delivery.js';

const LINK = /http\S+\/dashboard\/([a-z-]+)#token=([A-Za-z0-9_-]+)/;

/** A link in a message: the page that it opens, and its token. */
export interface MailedLink {
  readonly page: string;
  readonly token: string;
  /** Of the whole message. */
  readonly text: string;
}

/** A real SMTP server, and what people find in their mailboxes. Close it after the gateways that deliver to it. */
export class TestMailbox {
  /** Messages that were read, by their place in the order of arrival. */
  readonly #read = new Set<number>();

  private constructor(private readonly server: MailServer) {}

  static async start(): Promise<TestMailbox> {
    return new TestMailbox(await MailServer.start({ security: 'none' }));
  }

  /** Takes the place of a gateway's `services.mail`. */
  get route(): MailRoute {
    const { port } = this.server;
    return {
      openTransport: () => openMailTransport({
        kind: 'smtp', host: '127.0.0.1', port, security: 'none', credentials: null, from: { name: 'Tollgate', address: 'tollgate@example.test' },
      }),
      pollMilliseconds: null,
    };
  }

  /** The oldest message to the address that was not read yet; waits for its arrival. */
  async next(to: string): Promise<ReceivedMail> {
    let place = -1;
    await until(() => {
      place = this.server.received.findIndex((mail, at) => mail.to.includes(to) && !this.#read.has(at));
      return place !== -1;
    });
    this.#read.add(place);
    const mail = (await this.server.mails())[place];
    if (mail === undefined) throw new Error('the message has gone');
    return mail;
  }

  /** The link in the next message to the address. */
  async nextLink(to: string): Promise<MailedLink> {
    const { text, subject } = await this.next(to);
    const [, page, token] = LINK.exec(text) ?? [];
    if (page === undefined || token === undefined) throw new Error(`there is no link in "${subject}"`);
    return { page, token, text };
  }

  /** Subjects of all messages to the address so far, read or not. */
  async subjects(to: string): Promise<readonly string[]> {
    return (await this.server.mails()).filter((mail) => mail.to === to).map(({ subject }) => subject);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
