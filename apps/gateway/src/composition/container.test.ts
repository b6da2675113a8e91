import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { type PostgresServer, startPostgresServer } from '@tollgate/testkit';
import { ManualClock, MemoryRateLimiter, SequentialIds } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { Gateway } from '../gateway/gateway.js';
import { AdmissionGate } from '../http/admission-gate.js';
import { StartRefused } from '../http/server/start-refused.js';
import { createContainer, createGateway, MODULES } from './container.js';
import { services } from './services.js';

const IN_MEMORY = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:' };

function notingClosings(container: Container, closed: string[]): void {
  const closing = (name: string): void => container.get(services.resources).defer(() => void closed.push(name));
  container.rebind(services.store).toDynamicValue(() => {
    closing('store');
    return storeInMemory();
  });
  container.rebind(services.secret).toConstantValue(null);
  container.rebind(services.catalogue).toDynamicValue(() => {
    closing('catalogue');
    return { current: () => { throw new Error('not read'); } };
  });
  container.rebind(services.limits).toDynamicValue(async (context) => {
    const usage = await context.getAsync(services.usage);
    closing('limits');
    return { limiter: new MemoryRateLimiter({ clock: context.get(services.clock), usage }), counter: null };
  });
}

function boundServices(): readonly ServiceIdentifier[] {
  const bound: ServiceIdentifier[] = [];
  new Container().load(new ContainerModule((options) => {
    for (const module of MODULES) {
      void module.load({
        ...options,
        bind: (service) => {
          bound.push(service);
          return options.bind(service);
        },
      });
    }
  }));
  return bound;
}

describe('every service', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer({});
  });
  afterAll(() => server.stop());

  it('is bound once', () => {
    const bound = boundServices();
    expect(bound.filter((service, index) => bound.indexOf(service) !== index)).toEqual([]);
    expect(Object.values(services).filter((service) => !bound.includes(service))).toEqual([services.environment]);
  });

  it('resolves with each database, limiter and mail transport, with and without metrics', async () => {
    const databases = [{}, { DATABASE_URL: server.url(), SECRET: 'aa'.repeat(32) }];
    const limiters = [{}, { REDIS_URL: 'redis://127.0.0.1:1' }];
    const mails = [{ METRICS_PORT: '0' }, { MAIL_FOLDER: join(tmpdir(), 'tollgate-mail') }, { SMTP_HOST: '127.0.0.1', SMTP_SECURITY: 'none', MAIL_FROM: 'mail@example.test' }];
    const environments = databases.flatMap((database) => limiters.flatMap((limiter) => mails.map((mail) => ({ ...IN_MEMORY, ...database, ...limiter, ...mail }))));
    const faults: unknown[] = [];
    for (const environment of environments) {
      const container = createContainer(environment);
      for (const service of boundServices()) await container.getAsync(service).catch((fault: unknown) => faults.push({ environment, service, fault }));
      await container.get(services.resources).disposeAsync();
    }
    expect(faults).toEqual([]);
  });
});

describe('a service that is rebound', () => {
  it('is used by everything that depends on it', async () => {
    const gateway = await createGateway(IN_MEMORY, (container) => container.rebind(services.ids).toConstantValue(new SequentialIds()));
    const reply = await fetch(`${gateway.url}/v1/models`);
    await gateway.close();
    expect(reply.headers.get('x-request-id')).toBe('req_1');
  });

  it('may be identified by its class', async () => {
    const closed = new AdmissionGate();
    closed.close();
    const gateway = await createGateway(IN_MEMORY, (container) => container.rebind(AdmissionGate).toConstantValue(closed));
    const { status } = await fetch(`${gateway.url}/readyz`);
    await gateway.close();
    expect(status).toBe(503);
  });
});

describe('opened resources', () => {
  it('are closed in reverse order', async () => {
    const closed: string[] = [];
    const container = createContainer(IN_MEMORY);
    notingClosings(container, closed);
    await container.getAsync(Gateway);
    await container.get(services.resources).disposeAsync();
    expect(closed).toEqual(['limits', 'catalogue', 'store']);
  });

  it('are closed when a later one cannot be opened', async () => {
    const closed: string[] = [];
    const starting = createGateway(IN_MEMORY, (container) => {
      notingClosings(container, closed);
      container.rebind(services.limits).toDynamicValue(() => Promise.reject(new StartRefused(['no limits'])));
    });
    await expect(starting).rejects.toEqual(new StartRefused(['no limits']));
    expect(closed).toEqual(['catalogue', 'store']);
  });

  describe('on a database file', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tollgate-container-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('are closed, and leave no timer, when the start is refused', async () => {
      const clock = new ManualClock();
      const environment = { ...IN_MEMORY, DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` };
      const refused = createGateway({ ...environment, CATALOG_FILE: join(folder, 'missing.yaml') }, (container) => container.rebind(services.clock).toConstantValue(clock));
      await expect(refused).rejects.toThrow(StartRefused);
      expect(clock.pendingTasks).toBe(0);
      await (await createGateway(environment)).close();
    });
  });
});
