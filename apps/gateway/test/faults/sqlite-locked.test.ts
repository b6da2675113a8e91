import { expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { assertSound } from './support/assert-sound.js';
import { makeFaultSqlite } from './support/fault-database.js';
import { FaultWorld } from './support/fault-world.js';

const TEST_MILLISECONDS = 240_000;
/** Limit for a refusal: the documented five seconds, and a margin for busy machines. */
const MAX_MILLISECONDS = 30_000;

it('while another program locks the database file, requests fail in time with errors, and nothing is generated', async () => {
  const database = makeFaultSqlite();
  const world = await FaultWorld.start({ database });
  const other = new Database(database.file);
  try {
    const before = await Promise.all(world.askAllWays());
    const calls = world.provider.calls.length;
    other.exec('begin immediate');
    const refused = await Promise.all(world.askAllWays());
    expect(refused).toEqual(refused.map(({ format }) => expect.objectContaining({
      status: 503, code: 'service_unavailable', text: '', debited: null, envelope: format === 'messages' ? 'error' : null,
    })));
    expect(Math.max(...refused.map(({ milliseconds }) => milliseconds))).toBeLessThan(MAX_MILLISECONDS);
    expect(world.provider.calls.length).toBe(calls);
    other.exec('rollback');
    await assertSound(world, [...before, ...refused, ...await Promise.all(world.askAllWays())]);
  } finally {
    other.close();
    await world.close();
  }
}, TEST_MILLISECONDS);
