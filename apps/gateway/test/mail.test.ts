import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { instant, later, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { Mail } from '@tollgate/identity';
import { type PostgresServer, until } from '@tollgate/testkit';
import { MailServer, parseMail } from '@tollgate/testkit/mail-server';
import { services } from '../src/composition/services.js';
import { rebind } from '../src/test-support/start-test-gateway.js';
import { createGateway } from '../src/composition/container.js';
import type { Gateway } from '../src/gateway/gateway.js';
import { startMigratedPostgres } from '../src/test-support/migrated-postgres.js';

function aMail(number: number): Mail {
  return { kind: 'test', accountId: null, to: `person${number}@example.test`, rank: 'verified', subject: `Message ${number}`, text: 'Hello\n', html: '<p>Hello</p>', reference: `reference ${number}` };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-mail-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a gateway without a mail server', () => {
  const gateways: Gateway[] = [];
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close();
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<Gateway> {
    const gateway = await createGateway({
      PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, MAIL_FOLDER: join(folder, 'mail'), METRICS_PORT: '0', ...environment,
    });
    gateways.push(gateway);
    return gateway;
  }

  function files(): readonly string[] {
    return readdirSync(folder).includes('mail') ? readdirSync(join(folder, 'mail')).filter((name) => name.endsWith('.eml')) : [];
  }

  async function metric(gateway: Gateway, name: string): Promise<string | undefined> {
    const text = await (await fetch(gateway.metricsUrl ?? '')).text();
    return new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  }

  it('writes each message to a file with mode 600, and counts the message', async () => {
    const gateway = await start();
    await gateway.mailer.send(aMail(1));
    await until(async () => await metric(gateway, 'tollgate_mails_delivered_total') === '1');
    const [name = ''] = files();
    expect(name).toMatch(/^\d{8}T\d{9}Z-mail_[A-Za-z0-9]+\.eml$/);
    expect(statSync(join(folder, 'mail', name)).mode & 0o777).toBe(0o600);
    expect(await parseMail(readFileSync(join(folder, 'mail', name), 'utf8'))).toMatchObject({ to: 'person1@example.test', subject: 'Message 1', text: 'Hello\n' });
    await until(async () => await metric(gateway, 'tollgate_mails_waiting') === '0');
    expect([await metric(gateway, 'tollgate_mail_failures_total'), await metric(gateway, 'tollgate_mails_given_up_total')]).toEqual(['0', '0']);
  });

  it('delivers at the start the messages that an earlier process stored', async () => {
    const server = await MailServer.start({ security: 'none' });
    const { port } = server;
    await server.close();
    const smtp = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), SMTP_SECURITY: 'none', MAIL_FROM: 'tollgate@example.test' };
    const first = await start(smtp);
    await first.mailer.send(aMail(1));
    await until(async () => await metric(first, 'tollgate_mail_failures_total') === '1');
    expect(await metric(first, 'tollgate_mails_waiting')).toBe('1');
    await first.close();
    const second = await createGateway({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, MAIL_FOLDER: join(folder, 'mail') }, (container) => {
      rebind(container, { clock: new ManualClock(later(instant(Date.now()), MILLISECONDS_PER_HOUR)) });
    });
    gateways.push(second);
    await until(() => files().length === 1);
  });
});

describe('two gateways over one PostgreSQL database', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startMigratedPostgres();
  });
  afterAll(() => postgres.stop());

  it('deliver each message once, whichever of them stored it', async () => {
    const server = await MailServer.start({ security: 'none' });
    const environment = {
      PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: postgres.url(), OUTBOX_FILE: join(folder, 'outbox'),
      SMTP_HOST: '127.0.0.1', SMTP_PORT: String(server.port), SMTP_SECURITY: 'none', MAIL_FROM: 'Tollgate <tollgate@example.test>',
    };
    const gateways = [await createGateway(environment), await createGateway({ ...environment, OUTBOX_FILE: join(folder, 'other-outbox') })] as const;
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    // Each message goes to both gateways, as a client's repeated request might.
    await Promise.all(numbers.flatMap((number) => gateways.map((gateway) => gateway.mailer.send(aMail(number)))));
    await until(async () => (await gateways[0].container.get(services.mailOutbox).status(instant(Date.now()))).waiting === 0);
    expect((await server.mails()).map(({ subject }) => subject).toSorted()).toEqual(numbers.map((number) => `Message ${number}`).toSorted());
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await server.close();
  });
});
