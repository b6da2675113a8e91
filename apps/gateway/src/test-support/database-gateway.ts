import type { PostgresServer } from '@tollgate/testkit';
import { ManualClock } from '@tollgate/adapters-memory';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { createGateway } from '../composition/container.js';
import type { Gateway } from '../gateway/gateway.js';
import { services } from '../composition/services.js';
import type { GatewaySettings } from '../gateway/gateway-settings.js';
import { rebind, type Replacements, TEST_SETTINGS, WEAK_ARGON2 } from './start-test-gateway.js';
import { TestMailbox } from './test-browser.js';
import { startMigratedPostgres } from './migrated-postgres.js';

export const DATABASES = ['sqlite', 'postgres'] as const;

/** A gateway over a database, with a mail server and a manual clock. Close it after the test. */
export class DatabaseGateway {
  private constructor(readonly gateway: Gateway, readonly mailbox: TestMailbox, private readonly server: PostgresServer | null) {}

  static async start(
    kind: typeof DATABASES[number], dashboard: Partial<GatewaySettings['dashboard']> = {}, replacements: Replacements = {},
  ): Promise<DatabaseGateway> {
    const server = kind === 'postgres' ? await startMigratedPostgres() : null;
    const mailbox = await TestMailbox.start();
    const settings = { ...TEST_SETTINGS, dashboard: { ...TEST_SETTINGS.dashboard, ...dashboard } };
    const environment = { PORT: '0', LOG_LEVEL: 'silent', SECRET: 'ab'.repeat(32), DATABASE_URL: server === null ? 'sqlite::memory:' : server.url() };
    const gateway = await createGateway(environment, (container) =>
      rebind(container, { settings, clock: new ManualClock(), leaseClock: 'caller', mail: mailbox.route, passwordHasher: new Argon2Hasher(WEAK_ARGON2), ...replacements }));
    return new DatabaseGateway(gateway, mailbox, server);
  }

  get clock(): ManualClock {
    return this.gateway.container.get(services.clock) as ManualClock;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.mailbox.close();
    await this.server?.stop();
  }
}
