import { ManualClock, StaticCatalogue } from '@tollgate/adapters-memory';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { type EventPage, type EventType, MACHINE_SCOPES, type MachineScope, SYSTEM_ACTOR } from '@tollgate/core';
import { Machines } from '@tollgate/identity';
import { type PostgresServer, readPage, ScriptedProvider } from '@tollgate/testkit';
import { createGateway } from '../../src/composition/container.js';
import { services } from '../../src/composition/services.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { addCaller, rebind, TEST_SETTINGS, type TestCaller, WEAK_ARGON2 } from '../../src/test-support/start-test-gateway.js';
import { addPerson } from '../../src/test-support/test-browser.js';
import { testCatalogue, textReply } from '../../src/test-support/test-catalogue.js';
import { startMigratedPostgres } from '../../src/test-support/migrated-postgres.js';

export interface ChangeReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: Readonly<Record<string, unknown>> };
}

export interface ChangeRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Gateways with `ADMIN_KEYS` over one database, which has an account with a request, and a machine. Close it after the tests. */
export class ChangesWorld {
  private constructor(
    readonly clock: ManualClock, readonly gateways: readonly Gateway[], readonly caller: TestCaller, readonly requestId: string,
    /** Id of an account with a person. */
    readonly owned: string,
    private readonly secret: string, private readonly server: PostgresServer | null,
  ) {}

  /** Position in the feed of events. */
  private cursor: string | null = null;

  static async start(database: 'sqlite' | 'postgres'): Promise<ChangesWorld> {
    const server = database === 'postgres' ? await startMigratedPostgres() : null;
    const clock = new ManualClock();
    const gateways: Gateway[] = [];
    const environment = { PORT: '0', LOG_LEVEL: 'silent', SECRET: 'ab'.repeat(32), ADMIN_KEYS: 'on', DATABASE_URL: server === null ? 'sqlite::memory:' : server.url() };
    for (const _ of server === null ? ['only'] : ['first', 'second']) {
      const catalogue = new StaticCatalogue(testCatalogue({ activeKeys: 100 }));
      const provider = new ScriptedProvider();
      for (const { slug } of catalogue.current().models) provider.script(slug, textReply('Hello'));
      gateways.push(await createGateway(environment, (container) => rebind(container, { settings: TEST_SETTINGS, clock, leaseClock: 'caller', catalogue, provider, passwordHasher: new Argon2Hasher(WEAK_ARGON2) })));
    }
    const [gateway] = gateways;
    if (gateway === undefined) throw new Error('the world has no gateway');
    const caller = await addCaller(gateway, 'first', {});
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST', headers: { 'authorization': `Bearer ${caller.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'small', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await reply.text();
    const { person } = await addPerson(gateway, 'person@example.test');
    const created = await gateway.container.get(Machines).create({ name: 'Shop', scopes: MACHINE_SCOPES, networks: [], expiresAt: null }, { actor: SYSTEM_ACTOR, at: clock.now() });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return new ChangesWorld(clock, gateways, caller, reply.headers.get('x-request-id') ?? '', person.accountId ?? '', created.issued.secret.reveal(), server);
  }

  /** Sends a request to the gateway with this index, modulo the number of gateways. */
  async send({ method, path, body }: ChangeRequest, { key = null, gateway = 0, secret = this.secret }: { readonly key?: string | null; readonly gateway?: number; readonly secret?: string } = {}): Promise<ChangeReply> {
    const chosen = this.gateways[gateway % this.gateways.length];
    if (chosen === undefined) throw new Error('the world has no gateway');
    const headers = { authorization: `Bearer ${secret}`, ...(key === null ? {} : { 'idempotency-key': key }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const reply = await fetch(`${chosen.url}/admin/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text === '' ? {} : JSON.parse(text) as ChangeReply['body'] };
  }

  async secretOf(scope: MachineScope): Promise<string> {
    const created = await this.container.get(Machines).create({ name: scope, scopes: [scope], networks: [], expiresAt: null }, { actor: SYSTEM_ACTOR, at: this.clock.now() });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created.issued.secret.reveal();
  }

  get gateway(): Gateway {
    const [gateway] = this.gateways;
    if (gateway === undefined) throw new Error('the world has no gateway');
    return gateway;
  }

  get container(): Gateway['container'] {
    return this.gateway.container;
  }

  /** Types of all events since the previous call, whether they concern an account or the platform. */
  async newEvents(): Promise<readonly EventType[]> {
    const found: EventType[] = [];
    let page: EventPage;
    do {
      page = await readPage(this.container.get(services.events), { after: this.cursor });
      found.push(...page.events.map(({ type }) => type));
      this.cursor = page.nextCursor;
    } while (page.hasMore);
    return found;
  }

  /** Number of entries in the whole trail. Throws unless the trail is intact. */
  async auditEntries(): Promise<number> {
    const { entries, fault } = await this.container.get(services.auditTrail).verifyAuditTrail();
    if (fault !== null) throw new Error(fault);
    return entries;
  }

  async close(): Promise<void> {
    for (const gateway of this.gateways) await gateway.close();
    await this.server?.stop();
  }
}
