import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountId, type ProcessId, type RequestId, type ReservationId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import { anEnding, aPrice, aServedModel, type PostgresServer, requestFacts, startPostgresServer } from '@tollgate/testkit';
import { SeededRandom } from '@tollgate/testkit/programs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { openBeside } from '../books/open-beside.js';
import { viewPostgres } from '../books/database-view.js';
import { World, type WorldOptions } from './world.js';
import { SQLITE_SETUP } from '../setups/sqlite-setup.js';
import { Inspector } from './inspector.js';

const clock = new SystemClock();
/** Number of pieces that the upstream sent for the served request. */
const PIECES = 4;

/** Books a served and acknowledged request, a running one, and an acknowledged credit. */
async function fillBooks({ ground, accounts, acknowledged }: World): Promise<void> {
  const accountId = accounts[0]?.id ?? ('' as AccountId);
  const store = await openBeside(ground.database);
  const ownerId = 'process_alive' as ProcessId;
  const at = clock.now();
  await store.ledger.checkpoint({ ownerId, progress: new Map(), at, leaseExpiresAt: at });
  for (const number of [1, 2]) {
    await store.ledger.reserve({
      reservationId: `rsv_${number}` as ReservationId, ownerId, amount: ServiceTokens.parse('5'), floor: ServiceTokens.parse('5'), expiresAt: at,
      facts: requestFacts({ requestId: `req_${number}` as RequestId, accountId, attribution: String(number), startedAt: at }),
    });
  }
  const ending = anEnding(PIECES, { endedAt: at, service: aServedModel({ price: aPrice('0.0004', '0.00004', '0.0004', '0.0012') }) });
  const { charge } = await store.ledger.settle({ reservationId: 'rsv_1' as ReservationId, ending });
  const receipt = { requestId: 'req_1', debited: charge.amount.toString(), isPending: false };
  const reply = { number: 1, isKeyed: false, requestId: 'req_1', status: 200, errorCode: null, delivered: PIECES, receipt: { units: charge.amount.toUnits(), isPending: false } };
  acknowledged.note({ number: 1, status: 200, seen: PIECES, leftAtHold: false, receipt, reply });
  await store.ledger.credit({ accountId, amount: ServiceTokens.parse('3'), reference: 'told', actor: SYSTEM_ACTOR, at });
  acknowledged.credits.push({ reference: 'told', amount: '3' });
  await store.close();
}

/** Creates a world with the books of `fillBooks` and without gateways. */
async function createFilledWorld(options: Omit<WorldOptions, 'context'>): Promise<World> {
  const upstream = { port: 1, sentFor: () => PIECES, letGo: () => undefined, close: () => undefined };
  const world = await World.create({ ...options, context: { upstream, random: new SeededRandom(1), nextNumber: () => 1 } });
  await fillBooks(world);
  return world;
}

describe('the inspector of a world', () => {
  let folder: string;
  let world: World;
  let inspector: Inspector;
  let violations: string[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-inspector-'));
    violations = [];
    world = await createFilledWorld({ setup: SQLITE_SETUP, folder, onViolation: (text) => violations.push(text) });
    inspector = await Inspector.open(world);
  });

  afterEach(async () => {
    await inspector.close();
    rmSync(folder, { recursive: true });
  });

  /** Changes the database against the constraints of its schema. */
  function corrupt(statements: string): void {
    const direct = new Database(join(folder, 'tollgate.db'));
    direct.pragma('foreign_keys = OFF');
    direct.pragma('ignore_check_constraints = ON');
    for (const trigger of direct.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all()) direct.exec(`DROP TRIGGER ${String(trigger)}`);
    direct.exec('DROP INDEX ledger_entries_by_reservation');
    direct.exec(statements);
    direct.close();
  }

  it('reports nothing for correct books, during a request and at rest', async () => {
    await inspector.look();
    await inspector.audit();
    await inspector.lookInQuiet();
    expect(violations).toEqual([]);
    expect(inspector.requestsCompared).toBe(1);
  });

  it.each([
    ['I1', 'a balance below zero', 'UPDATE accounts SET balance = -1'],
    ['I2', 'more reserved than reservations hold', 'UPDATE accounts SET reserved = reserved + 1'],
    ['I3', 'a balance that no entry explains', 'UPDATE accounts SET balance = balance + 1'],
    ['I4', 'money from nowhere', 'UPDATE accounts SET balance = balance + 1'],
    ['I5', 'an ended reservation without a record', 'DELETE FROM usage_records'],
    ['I5', 'a second charge', "INSERT INTO ledger_entries (seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason) SELECT 99, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason FROM ledger_entries WHERE kind = 'charge'"],
    ['I7', 'a roll-up that says more', 'UPDATE usage_daily SET charge = charge + 1'],
    ['I9', 'a receipt of another amount', "UPDATE ledger_entries SET amount = amount + 1 WHERE kind = 'charge'; UPDATE usage_records SET charge = charge + 1"],
    ['I9', 'a receipt that is nowhere', "DELETE FROM ledger_entries WHERE kind = 'charge'; DELETE FROM usage_records"],
    ['P4', 'a credit that is lost', "DELETE FROM ledger_entries WHERE reference = 'told'"],
  ])('reports a breach of %s: %s', async (invariant, _name, statements) => {
    corrupt(statements);
    await inspector.look();
    expect(violations.filter((text) => text.startsWith(`${invariant}:`))).not.toEqual([]);
  });

  it.each([
    ['I9', 'a record whose charge does not match its counts', 'UPDATE usage_records SET visible_output_tokens = visible_output_tokens + 1'],
    ['I14', 'a changed entry of the audit log', "UPDATE audit_entries SET details = '{}' WHERE seq = 1"],
  ])('reports a breach of %s in an audit: %s', async (invariant, _name, statements) => {
    corrupt(statements);
    await inspector.audit();
    expect(violations.filter((text) => text.startsWith(`${invariant}:`))).not.toEqual([]);
  });

  it.each([
    ['that has changed', "UPDATE ledger_entries SET at = at + 1 WHERE kind = 'charge'"],
    ['that is missing', "DELETE FROM ledger_entries WHERE kind = 'charge'"],
  ])('reports a breach of I12: an entry that was seen before, %s', async (_name, statements) => {
    await inspector.look();
    corrupt(statements);
    await inspector.look();
    expect(violations.filter((text) => text.startsWith('I12:'))).toHaveLength(1);
  });

  it('reports a breach of P5: a dead process still has a reservation', async () => {
    world.dead.died('process_alive', 'middle', performance.now() - 60_000);
    world.dead.succeeded('process_alive', performance.now() - 50_000);
    expect(await inspector.lookAtHeld()).toBe(1);
    expect(violations).toEqual(['P5, I6: 1 reservations of a process that was killed at middle are still held']);
  });

  it.each([
    ['billed output that is more than was sent', PIECES + 1],
    ['billed output that is less than was seen', PIECES - 1],
  ])('reports a breach of I8 at rest: %s', async (_name, billed) => {
    corrupt(`UPDATE usage_records SET visible_output_tokens = ${billed}, usage_source = 'reported'`);
    await inspector.lookInQuiet();
    expect(violations.filter((text) => text.startsWith('I8: request 1:'))).toHaveLength(1);
  });

  it('reports at rest that a customer paid a different amount from the one on the receipt', async () => {
    corrupt("UPDATE ledger_entries SET amount = amount + 1 WHERE kind = 'charge'; UPDATE usage_records SET charge = charge + 1");
    await inspector.lookInQuiet();
    expect(violations.filter((text) => text.startsWith('customer: request req_1 has a receipt of'))).toHaveLength(1);
  });

  it('reports each violation once, however often it is seen', async () => {
    corrupt('UPDATE usage_daily SET charge = charge + 1');
    await inspector.look();
    const before = violations.length;
    await inspector.look();
    expect(violations).toHaveLength(before);
  });
});

describe('the inspector of a world on PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  let folder: string;
  let url: string;
  let inspector: Inspector;
  let violations: string[];

  async function run(place: string, statements: string): Promise<void> {
    const client = new Client({ connectionString: place });
    await client.connect();
    await client.query(statements);
    await client.end();
  }

  beforeAll(async () => {
    server = await startPostgresServer();
    folder = mkdtempSync(join(tmpdir(), 'tollgate-inspector-'));
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    databases += 1;
    await run(server.url(), `create database inspected_${databases}`);
    url = server.url(`inspected_${databases}`);
    violations = [];
    const ground = { database: { kind: 'postgres', url }, environment: {}, openView: () => viewPostgres(url) } as const;
    const world = await createFilledWorld({ setup: { ...SQLITE_SETUP, createGround: () => Promise.resolve(ground) }, folder, onViolation: (text) => violations.push(text) });
    inspector = await Inspector.open(world);
  });

  afterEach(async () => {
    await inspector.close();
  });

  it('reports nothing for correct books, during a request and at rest', async () => {
    await inspector.look();
    await inspector.lookInQuiet();
    expect(violations).toEqual([]);
  });

  it('reports violations, including changed ledger entries', async () => {
    await inspector.look();
    await run(url, `set session_replication_role = replica; update accounts set balance = balance + 1, reserved = reserved + 2;
      update usage_daily set charge = charge + 1; update ledger_entries set at = at + 1 where kind = 'charge'; delete from ledger_entries where reference = 'told'`);
    await inspector.lookInQuiet();
    expect(new Set(violations.map((text) => text.split(':')[0]))).toEqual(new Set(['I2', 'I3', 'I4', 'I7', 'I12', 'I17', 'P4', 'customer']));
  });

  it('continues after the server has been unavailable', async () => {
    await inspector.look();
    await server.crash();
    await expect(inspector.look()).rejects.toThrow(/connect/i);
    await server.restart();
    await inspector.look();
    expect(violations).toEqual([]);
  });
});
