import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  type AccountId, availableOf, invariant, type JsonObject, type PlanId, type ProcessId, type RequestId, ServiceTokens,
  SYSTEM_ACTOR, type UsageRecord,
} from '@tollgate/core';
import type { Environment } from '@tollgate/adapters-config';
import { openSqliteStore, type SqliteStore } from '@tollgate/adapters-sqlite';
import { type ScriptedUpstream, type ScriptedUpstreamOptions, startScriptedUpstream } from '@tollgate/testkit';
import { services } from '../../../src/composition/services.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../../src/test-support/start-embedded-gateway.js';
import { type Replacements, type TestCaller } from '../../../src/test-support/start-test-gateway.js';

export interface AcceptanceWorldOptions {
  /** A catalogue file; by default, models come from the environment. */
  readonly catalogue?: (upstream: ScriptedUpstream) => JsonObject;
  readonly environment?: (upstream: ScriptedUpstream) => Environment;
  readonly upstream?: ScriptedUpstreamOptions;
  readonly services?: Replacements;
  /** Credit of the first caller; default 1,000,000. */
  readonly credit?: string;
  /** Plan of the first caller; default `pro`. */
  readonly planId?: string;
}

export interface CallerOptions {
  readonly planId?: string;
  readonly credit?: string;
}

/** A charge as the ledger stores it, in service tokens. */
export interface LedgerCharge {
  readonly kind: string;
  readonly amount: string;
}

interface Parts {
  readonly upstream: ScriptedUpstream;
  readonly embedded: EmbeddedGateway;
  readonly auditor: SqliteStore;
  readonly folder: string;
}

const DATABASE_NAME = 'tollgate.db';

/**
 * A gateway on a free port and a database file, a scripted upstream, and separate connections to the same file, as the command line has.
 * Close it after the test.
 */
export class AcceptanceWorld {
  readonly #reader: Database.Database;
  #callers = 0;

  private constructor(private readonly parts: Parts) {
    this.#reader = new Database(this.database, { readonly: true }).defaultSafeIntegers(true);
  }

  static async start(options: AcceptanceWorldOptions = {}): Promise<AcceptanceWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-acceptance-'));
    const upstream = await startScriptedUpstream(options.upstream);
    const embedded = await startEmbeddedGateway({
      environment: { DATABASE_URL: `sqlite:${join(folder, DATABASE_NAME)}`, ...catalogueOf(options, upstream, folder), ...options.environment?.(upstream) },
      ...(options.services === undefined ? {} : { services: options.services }),
      ...(options.credit === undefined ? {} : { credit: options.credit }),
      ...(options.planId === undefined ? {} : { planId: options.planId as PlanId }),
    });
    const auditor = await openSqliteStore({
      file: join(folder, DATABASE_NAME), clock: embedded.gateway.container.get(services.clock), processId: 'proc_auditor' as ProcessId,
    });
    return new AcceptanceWorld({ upstream, embedded, auditor, folder });
  }

  get url(): string {
    return this.parts.embedded.url;
  }

  get upstream(): ScriptedUpstream {
    return this.parts.upstream;
  }

  /** Path of the database file. */
  get database(): string {
    return join(this.parts.folder, DATABASE_NAME);
  }

  get caller(): TestCaller {
    return this.parts.embedded;
  }

  get gateway(): EmbeddedGateway['gateway'] {
    return this.parts.embedded.gateway;
  }

  /** A separate connection, as another process would have. */
  get auditor(): SqliteStore {
    return this.parts.auditor;
  }

  async addCaller({ planId = 'pro', credit = '1000000' }: CallerOptions = {}): Promise<TestCaller> {
    const { accountAdministration, keyManagement, container } = this.gateway;
    const name = `caller-${this.#callers += 1}`;
    const plan = container.get(services.catalogue).current().plan(planId as PlanId);
    invariant(plan !== null, 'the catalogue has the plan that a test names');
    const created = await accountAdministration.create({
      email: `${name}@example.test`, name, planId: plan.id, emailVerified: true, actor: SYSTEM_ACTOR,
    });
    invariant(created.outcome === 'created', 'callers are numbered');
    const { account } = created;
    const amount = ServiceTokens.parse(credit);
    if (!amount.isZero()) await accountAdministration.credit({ accountId: account.id, amount, reference: 'first', actor: SYSTEM_ACTOR });
    const made = await keyManagement.create({ accountId: account.id, plan, name, expiresAt: null, actor: SYSTEM_ACTOR });
    invariant(made.outcome === 'created', 'a new account has no key yet');
    return { account, key: made.issued.secret.reveal(), keyId: made.issued.key.id };
  }

  post(path: string, body: JsonObject | string, caller: TestCaller = this.caller): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async get(path: string, caller: TestCaller = this.caller): Promise<JsonObject> {
    const reply = await fetch(`${this.url}${path}`, { headers: { 'x-api-key': caller.key } });
    return (await reply.json()) as JsonObject;
  }

  recordOf(reply: Response, { account }: TestCaller = this.caller): Promise<UsageRecord | null> {
    return this.parts.auditor.usage.find(account.id, reply.headers.get('x-request-id') as RequestId);
  }

  /** The charges of a request, read from the table. */
  chargesOf(requestId: RequestId): readonly LedgerCharge[] {
    const rows = this.#reader.prepare('select kind, amount from ledger_entries where request_id = ? order by seq').all(requestId);
    return (rows as { readonly kind: string; readonly amount: bigint }[])
      .map(({ kind, amount }) => ({ kind, amount: ServiceTokens.fromUnits(amount).toString() }));
  }

  async available({ account }: TestCaller = this.caller): Promise<string> {
    const balance = await this.parts.auditor.ledger.balanceOf(account.id);
    return balance === null ? 'none' : availableOf(balance).toString();
  }

  usageRecordCount(accountId: AccountId): number {
    const row = this.#reader.prepare('select count(*) as n from usage_records where account_id = ?').get(accountId);
    return Number((row as { readonly n: bigint }).n);
  }

  get heldReservations(): number {
    const row = this.#reader.prepare('select count(*) as n from reservations where state = \'held\'').get();
    return Number((row as { readonly n: bigint }).n);
  }

  /** Resolves when every request is settled, including those whose clients have disconnected. */
  async settled(): Promise<void> {
    while (this.heldReservations > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async differences(): Promise<readonly unknown[]> {
    const { differences } = await this.parts.auditor.ledgerAudit.verify();
    return differences;
  }

  async close(): Promise<void> {
    const { upstream, embedded, auditor, folder } = this.parts;
    this.#reader.close();
    await upstream.close();
    await embedded.close();
    await auditor.close();
    rmSync(folder, { recursive: true });
  }
}

/** Writes the catalogue file, as JSON, which is valid YAML. Returns the variable that names the file; none without a catalogue. */
function catalogueOf({ catalogue }: AcceptanceWorldOptions, upstream: ScriptedUpstream, folder: string): Environment {
  if (catalogue === undefined) return {};
  const path = join(folder, 'catalog.yaml');
  writeFileSync(path, JSON.stringify(catalogue(upstream)));
  return { CATALOG_FILE: path };
}
