import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { AccountDeletion, type AccountId, later, type PersonId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { Person } from '@tollgate/identity';
import { STORE_PROCESS } from '@tollgate/sql-common/testing';
import { anAccount, anApiKey, changeStanding, STORE_NOON } from '@tollgate/testkit';
import { openSqliteStore, type SqliteStore } from '../../src/open-sqlite-store.js';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

/** Program that deletes an account, and kills itself when it first executes a given statement, or, with `again`, the second time. */
const DYING_GATEWAY = `
  import Database from 'better-sqlite3';
  const [file, statement, again, account, dueAt] = process.argv.slice(1);
  const prepare = Database.prototype.prepare;
  let left = again === 'again' ? 2 : 1;
  Database.prototype.prepare = function (sql) {
    const prepared = prepare.call(this, sql);
    if (!sql.startsWith(statement)) return prepared;
    for (const name of ['run', 'all']) {
      const execute = prepared[name].bind(prepared);
      prepared[name] = (...parameters) => {
        if (--left === 0) process.kill(process.pid, 'SIGKILL');
        return execute(...parameters);
      };
    }
    return prepared;
  };
  const { openSqliteStore } = await import('@tollgate/adapters-sqlite');
  const { AccountDeletion, SYSTEM_ACTOR } = await import('@tollgate/core');
  const clock = { now: () => Number(dueAt) };
  const store = await openSqliteStore({ file, clock, processId: 'process_dying' });
  await new AccountDeletion({ accounts: store.accounts, erasure: store.erasure, clock }).carryOut(account, SYSTEM_ACTOR);
  process.stdout.write('it lives');
`;

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const CAROL = 'acct_carol' as AccountId;
const ACCOUNT = anAccount({ id: CAROL, email: 'carol@example.test', createdAt: STORE_NOON });
const PERSON: Person = {
  id: 'person_carol' as PersonId, accountId: null, email: ACCOUNT.email, emailVerified: true, name: 'Carol', role: 'owner', factors: [], language: null, createdAt: STORE_NOON,
};
const KEY = anApiKey({ accountId: CAROL, name: 'laptop', createdAt: STORE_NOON });

/** The statement at which the process dies, at which execution, and the part of the deletion that it has committed by then. */
const DEATHS = [
  ['delete from "people"', 'once', 'nothing'],
  ['delete from "audit_texts"', 'again', 'nothing'],
  ['delete from "idempotency_keys"', 'once', 'everything'],
  ['delete from "stored_responses"', 'once', 'everything'],
] as const;

/** Contents of the file of a closed database, including unused pages. */
function textsIn(file: string): string {
  return readFileSync(file, 'latin1');
}

describe('a process killed during the deletion of an account', () => {
  let place: StoreFile;

  beforeAll(async () => {
    place = storeFile();
    const store = await place.open();
    await store.people.register({ person: PERSON, passwordHash: null, account: ACCOUNT }, BY);
    await store.keys.create({ key: KEY, maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
    await store.ledger.credit({ accountId: CAROL, amount: ServiceTokens.parse('7'), reference: 'r', ...BY });
    await store.responses.keep({ accountId: CAROL, id: 'resp_1', previousId: null, inputItems: Buffer.from('["A secret."]'), outputItems: '[]', body: '{}', expiresAt: later(STORE_NOON, 1000) });
    await changeStanding(store.accounts, CAROL, { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } }, BY);
    await store.close();
  });
  afterAll(() => place.remove());

  async function dieAt(statement: string, time: string): Promise<string> {
    const file = join(place.file, '..', `${statement.replaceAll(/\W/g, '')}.db`);
    copyFileSync(place.file, file);
    const child = spawn(process.execPath, ['--input-type=module', '-e', DYING_GATEWAY, file, statement, time, CAROL, `${STORE_NOON}`], {
      cwd: import.meta.dirname, env: {}, stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    return file;
  }

  async function stateOf(store: SqliteStore): Promise<readonly unknown[]> {
    const [account, person, holder, balance] = await Promise.all([
      store.accounts.findById(CAROL), store.people.find(PERSON.id), store.keys.findByHash(KEY.hash), store.ledger.balanceOf(CAROL),
    ]);
    return [account?.status, account?.email, person?.person.name, holder?.key.name, balance?.posted.toString()];
  }

  it('had stored a response of the account in the database file', () => {
    expect(textsIn(place.file)).toContain('A secret.');
  });

  it.each(DEATHS)('at %s (%s) has committed %s of the deletion, and the next process completes it', async (statement, time, done) => {
    const clock = new ManualClock(STORE_NOON);
    const file = await dieAt(statement, time);
    const store = await openSqliteStore({ file, clock, processId: STORE_PROCESS });
    const deleted = ['deleted', `erased:${CAROL}`, undefined, null, '0'];
    expect(await stateOf(store)).toEqual(done === 'everything' ? deleted : ['pending-deletion', ACCOUNT.email, 'Carol', 'laptop', '7']);
    const turn = await new AccountDeletion({ accounts: store.accounts, erasure: store.erasure, clock }).carryOutDue();
    expect([turn, await stateOf(store)]).toEqual([{ deleted: done === 'everything' ? [] : [CAROL], failed: [] }, deleted]);
    expect(await store.erasure.dueForDeletion(STORE_NOON, { limit: 1, after: null })).toEqual([]);
    expect(await store.responses.find(CAROL, 'resp_1', STORE_NOON)).toBeNull();
    expect([(await store.ledgerAudit.verify()).differences, (await store.auditTrail.verifyAuditTrail()).fault]).toEqual([[], null]);
    await store.close();
    expect(textsIn(file)).not.toContain('A secret.');
  });
});
