import { Machines, type IssuedMachine } from '@tollgate/identity';
import { ManualClock } from '@tollgate/adapters-memory';
import { InstallationSecret } from '@tollgate/adapters-node';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { type AccountRepository, type Instant, MACHINE_SCOPES, type MachineScope, type ProcessId, SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { services } from '../../src/composition/services.js';
import type { MailRoute } from '../../src/background/mail-delivery.js';
import type { GatewaySettings } from '../../src/gateway/gateway-settings.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';

const PROCESS = 'process_admin' as ProcessId;
/** Scopes that are granted without `ADMIN_KEYS`. */
export const GRANTED_SCOPES = MACHINE_SCOPES.filter((scope) => scope !== 'keys:write');

export type AdminHeaders = Readonly<Record<string, string>>;

export interface AdminReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: Readonly<Record<string, unknown>> };
}

export interface AdminRequest {
  readonly method?: string;
  readonly body?: unknown;
}

interface AdminWorldOptions {
  readonly clock?: ManualClock;
  readonly store?: SqlStore;
  readonly adminKeys?: boolean;
  readonly settings?: Partial<GatewaySettings>;
  readonly mail?: MailRoute;
}

/** A gateway with a caller and machines. By default, the database is SQLite in memory and `ADMIN_KEYS` is off. Close it after the test. */
export class AdminWorld {
  private constructor(readonly gateway: TestGateway, readonly clock: ManualClock) {}

  static async start({ clock = new ManualClock(), store, adminKeys = false, settings = {}, mail }: AdminWorldOptions = {}): Promise<AdminWorld> {
    const opened = store ?? await storeInMemory(clock, PROCESS);
    return new AdminWorld(await startTestGateway({ settings, services: { store: opened, clock, secret: new InstallationSecret(new Uint8Array(32).fill(1), null), allowsMachineKeys: adminKeys, ...(mail === undefined ? {} : { mail }) } }), clock);
  }

  get accounts(): AccountRepository {
    return this.gateway.gateway.container.get(services.accounts);
  }

  get machines(): Machines {
    return this.gateway.gateway.container.get(Machines);
  }

  by() {
    return { actor: SYSTEM_ACTOR, at: this.clock.now() };
  }

  async machine(scopes: readonly MachineScope[], terms: { readonly networks?: readonly string[]; readonly expiresAt?: Instant } = {}): Promise<IssuedMachine> {
    const created = await this.machines.create({ name: 'Shop', scopes, networks: [], expiresAt: null, ...terms }, this.by());
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created.issued;
  }

  /** Creates a machine with these scopes, and returns the headers that authenticate it. */
  async headersOf(scopes: readonly MachineScope[]): Promise<AdminHeaders> {
    const { secret } = await this.machine(scopes);
    return { authorization: `Bearer ${secret.reveal()}` };
  }

  async call(path: string, headers: AdminHeaders, { method = 'GET', body }: AdminRequest = {}): Promise<AdminReply> {
    const sent = body === undefined ? { method, headers } : { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const reply = await fetch(`${this.gateway.url}/admin/v1${path}`, sent);
    const text = await reply.text();
    const isJson = text !== '' && reply.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) as AdminReply['body'] : {} };
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}
