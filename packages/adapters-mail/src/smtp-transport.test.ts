import tls from 'node:tls';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anOutgoingMail, mailTransportContract } from '@tollgate/testkit';
import { LOCALHOST_CERTIFICATE, MailServer, type MailServerOptions } from '@tollgate/testkit/mail-server';
import type { SmtpSettings } from './open-mail-transport.js';
import { SmtpTransport } from './smtp-transport.js';

const FROM = { name: 'Tollgate', address: 'tollgate@gateway.example.test' };

function settings(port: number, differences: Partial<SmtpSettings> = {}): SmtpSettings {
  return { kind: 'smtp', host: 'localhost', port, security: 'starttls', credentials: null, from: FROM, ...differences };
}

const trusted = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([...trusted, LOCALHOST_CERTIFICATE]));
afterAll(() => tls.setDefaultCACertificates([...trusted]));

mailTransportContract('SMTP', async (picture) => {
  const server = await MailServer.start({ security: 'none' });
  const transport = new SmtpTransport(settings(server.port, { security: 'none' }), picture);
  return {
    transport,
    received: () => server.mails(),
    close: async () => {
      await transport.close();
      await server.close();
    },
  };
});

describe('SmtpTransport', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });

  async function serve(options: MailServerOptions): Promise<MailServer> {
    const server = await MailServer.start(options);
    opened.push(server);
    return server;
  }

  function transportTo(port: number, differences: Partial<SmtpSettings> = {}): SmtpTransport {
    const transport = new SmtpTransport(settings(port, differences));
    opened.push(transport);
    return transport;
  }

  it.each(['starttls', 'tls'] as const)('delivers a message encrypted with %s to a server with a trusted certificate', async (security) => {
    const server = await serve({ security });
    expect(await transportTo(server.port, { security }).deliver(anOutgoingMail(1))).toEqual({ outcome: 'delivered', place: `localhost:${server.port}` });
    expect(server.received).toEqual([expect.objectContaining({ encrypted: true, from: FROM.address, to: ['ada@example.test'] })]);
  });

  it.each(['starttls', 'tls'] as const)('delivers no message with %s to a server with an expired certificate', async (security) => {
    const server = await serve({ security, certificate: 'expired' });
    const outcome = await transportTo(server.port, { security }).deliver(anOutgoingMail(1));
    expect(outcome).toMatchObject({ outcome: 'failed', failure: { code: expect.stringMatching(/CERT|ETLS/), explanation: expect.stringContaining('certificate') } });
    expect(server.received).toEqual([]);
  });

  it('delivers no message if the server does not offer STARTTLS', async () => {
    const server = await serve({ security: 'none', credentials: { user: 'gateway', password: 'hunter2' } });
    const outcome = await transportTo(server.port, { credentials: { user: 'gateway', password: 'hunter2' } }).deliver(anOutgoingMail(1));
    expect(outcome).toMatchObject({ outcome: 'failed', failure: { code: 'ETLS', explanation: expect.stringContaining('STARTTLS') } });
    expect(server.received).toEqual([]);
  });

  it('authenticates, and reports a wrong password by the code of the server, without the password', async () => {
    const server = await serve({ security: 'starttls', credentials: { user: 'gateway', password: 'hunter2' } });
    expect(await transportTo(server.port, { credentials: { user: 'gateway', password: 'hunter2' } }).deliver(anOutgoingMail(1))).toMatchObject({ outcome: 'delivered' });
    const wrong = await transportTo(server.port, { credentials: { user: 'gateway', password: 'swordfish' } }).deliver(anOutgoingMail(2));
    expect(wrong).toMatchObject({ outcome: 'failed', failure: { code: '535' } });
    expect(JSON.stringify(wrong)).not.toContain('swordfish');
  });

  it.each([
    [550, '5.1.1 User ada@example.test unknown', 'refused', '550 5.1.1'],
    [450, '4.2.1 Try again later', 'failed', '450 4.2.1'],
  ] as const)('reports the reply %d to a recipient as %s', async (code, text, outcome, logged) => {
    const server = await serve({ security: 'none', refuseRecipient: () => ({ code, text }) });
    const result = await transportTo(server.port, { security: 'none' }).deliver(anOutgoingMail(1));
    expect(result).toMatchObject({ outcome, failure: { code: logged, explanation: expect.stringContaining(text) } });
  });

  it('reports a refused sender as a failure, not as a refused recipient', async () => {
    const server = await serve({ security: 'none', refuseSender: () => ({ code: 553, text: '5.7.1 Sender not allowed' }) });
    expect(await transportTo(server.port, { security: 'none' }).deliver(anOutgoingMail(1))).toMatchObject({ outcome: 'failed', failure: { code: '553 5.7.1' } });
  });

  it('reports a refused connection, and delivers after the server has begun to listen', async () => {
    const gone = await MailServer.start({ security: 'none' });
    await gone.close();
    const transport = transportTo(gone.port, { security: 'none' });
    expect(await transport.deliver(anOutgoingMail(1))).toMatchObject({ outcome: 'failed', failure: { code: 'ECONNREFUSED' } });
    const server = await serve({ security: 'none', port: gone.port });
    expect(await transport.deliver(anOutgoingMail(1))).toMatchObject({ outcome: 'delivered' });
    expect(server.received).toHaveLength(1);
  });

  it('aborts running deliveries when it closes', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const transport = transportTo((silent.address() as AddressInfo).port, { security: 'none' });
    const delivery = transport.deliver(anOutgoingMail(1));
    await once(silent, 'connection');
    await transport.close();
    expect(await delivery).toMatchObject({ outcome: 'failed' });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
