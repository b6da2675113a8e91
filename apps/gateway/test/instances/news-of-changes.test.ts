import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tollgate/testkit';
import { Client } from 'pg';
import { Crowd } from './support/crowd.js';
import { Deployment } from './support/deployment.js';
import { promiseSettings, say } from './support/promise-settings.js';
import { SHARED } from './support/set-up.js';
import { sharedCatalogue } from './support/shared-catalogue.js';
import type { AskedGateways } from './support/shared-promises.js';
import { CHANGES, REVOCATION, WATCHED_PLAN, waitForChange } from './support/watched-changes.js';

const SETTINGS = promiseSettings();
const HEARD_MILLISECONDS = 1_000;
const UNHEARD_MILLISECONDS = 5_000;
const RUN_MILLISECONDS = 120_000;

/** Tables whose changes a trigger announces to all gateways. */
const ANNOUNCED_TABLES = ['accounts', 'api_keys'];
const LISTENERS = 'select pid from pg_stat_activity where pid <> pg_backend_pid() and query in (\'listen tollgate_changes\', \'select 1\')';

describe('three gateways over one PostgreSQL', () => {
  let asked: AskedGateways;
  let database: Client;

  beforeAll(async () => {
    const deployment = await Deployment.start({ setUp: SHARED, catalogue: sharedCatalogue });
    asked = { deployment, urls: deployment.gateways.map(({ url }) => url), crowd: new Crowd() };
    database = new Client({ connectionString: deployment.environment['DATABASE_URL'] }).on('error', () => undefined);
    await database.connect();
  }, 60_000);
  afterAll(async () => {
    asked.crowd.close();
    await database.end();
    await asked.deployment.close();
  });

  /** Calls `tried` this many times, one call after the other; returns the longest of the delays that it resolves with. */
  async function worstOf(times: number, tried: (number: number) => Promise<number>): Promise<number> {
    let worst = 0;
    for (let number = 0; number < times; number += 1) worst = Math.max(worst, await tried(number));
    return worst;
  }

  async function tryOnce(change: (typeof CHANGES)[number]): Promise<number> {
    return waitForChange(asked, await asked.deployment.addCaller({ planId: WATCHED_PLAN, credit: '1' }), change);
  }

  it.each(CHANGES)(`all know within a second, ${SETTINGS.changes} times, that $name`, async (change) => {
    const worst = await worstOf(SETTINGS.changes, () => tryOnce(change));
    say(SETTINGS, `${change.name}: known everywhere after ${Math.round(worst)} ms at worst, of ${SETTINGS.changes}`);
    expect(worst).toBeLessThan(HEARD_MILLISECONDS);
  }, RUN_MILLISECONDS);

  describe('without notifications,', () => {
    beforeAll(async () => {
      for (const table of ANNOUNCED_TABLES) await database.query(`alter table ${table} disable trigger ${table}_announced`);
    });
    afterAll(async () => {
      for (const table of ANNOUNCED_TABLES) await database.query(`alter table ${table} enable trigger ${table}_announced`);
    });

    it(`all refuse a revoked key within five seconds (${SETTINGS.changes} times)`, async () => {
      const worst = Math.max(...await Promise.all(Array.from({ length: SETTINGS.changes }, () => tryOnce(REVOCATION))));
      say(SETTINGS, `a key is revoked without notifications: known everywhere after ${Math.round(worst)} ms at worst, of ${SETTINGS.changes}`);
      expect(worst).toBeGreaterThan(HEARD_MILLISECONDS);
      expect(worst).toBeLessThan(UNHEARD_MILLISECONDS);
    }, RUN_MILLISECONDS);
  });

  describe('when their listeners are repeatedly disconnected,', () => {
    const calm = new AbortController();
    let cutting: Promise<void> = Promise.resolve();
    let cuts = 0;

    async function cut(): Promise<void> {
      while (!calm.signal.aborted) {
        const { rowCount } = await database.query(`select pg_terminate_backend(pid) from (${LISTENERS}) as listeners`);
        cuts += rowCount ?? 0;
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
      }
    }

    beforeAll(async () => {
      cutting = cut();
      await until(() => cuts >= asked.urls.length);
    });
    afterAll(async () => {
      calm.abort();
      await cutting;
    });

    it(`all refuse a revoked key within five seconds (${SETTINGS.changes} times)`, async () => {
      const worst = await worstOf(SETTINGS.changes, () => tryOnce(REVOCATION));
      say(SETTINGS, `a key is revoked and the listener is cut off (${cuts} times): known everywhere after ${Math.round(worst)} ms at worst, of ${SETTINGS.changes}`);
      expect(worst).toBeLessThan(UNHEARD_MILLISECONDS);
    }, RUN_MILLISECONDS);
  });
});
