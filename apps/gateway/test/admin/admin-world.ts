import { Machines, type IssuedMachine } from '@tollgate/identity';
import { ManualClock } from '@tollgate/adapters-memory';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { type AccountRepository, type Instant, MACHINE_SCOPES, type MachineScope, type ProcessId, SYSTEM_ACTOR } from '@tollgate/core';
import { services } from '../../src/composition/services.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';

/** Those that are granted without `ADMIN_KEYS`. */
export const GRANTED_SCOPES = MACHINE_SCOPES.filter((scope) => scope !== 'keys:write');

export interface AdminReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: Readonly<Record<string, unknown>> };
}

/** A gateway over SQLite in memory, with a caller and machines. Close it after the test. */
export class AdminWorld {
  private constructor(readonly gateway: TestGateway, readonly clock: ManualClock) {}

  static async start(): Promise<AdminWorld> {
    const clock = new ManualClock();
    const store = await openSqliteStore({ file: ':memory:', clock, processId: 'process_admin' as ProcessId });
    return new AdminWorld(await startTestGateway({ services: { store, clock } }), clock);
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

  /** The headers that a machine sends. */
  async headersOf(scopes: readonly MachineScope[]): Promise<Readonly<Record<string, string>>> {
    const { secret } = await this.machine(scopes);
    return { authorization: `Bearer ${secret.reveal()}` };
  }

  async call(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<AdminReply> {
    const reply = await fetch(`${this.gateway.url}/admin/v1${path}`, { method, headers });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text === '' ? {} : JSON.parse(text) as AdminReply['body'] };
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}
