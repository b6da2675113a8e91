import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { StoreUnavailable, storeRefusal } from '@tollgate/core';
import { createLog } from '../../observability/create-log.js';
import { DatabaseOutage, QUIET_MILLISECONDS } from './database-outage.js';

let clock: ManualClock;
let lines: Readonly<Record<string, unknown>>[];
let outage: DatabaseOutage;

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  outage = new DatabaseOutage({ database: 'postgresql://db.example/tollgate', clock, log });
});

const refused = (): unknown => storeRefusal(new StoreUnavailable(new Error('connect ECONNREFUSED 10.0.0.1:5432')));

describe('DatabaseOutage', () => {
  it('logs host and reason when an outage begins, and its duration and number of failed requests when it ends', () => {
    for (let number = 0; number < 500; number += 1) {
      outage.failed(refused(), `req_${number}`);
      clock.advance(40);
    }
    outage.succeeded();
    clock.advance(QUIET_MILLISECONDS);
    outage.succeeded();
    outage.succeeded();
    expect(lines.map(({ level, msg, database, reason, failedRequests, seconds }) => [level, msg, database, reason ?? null, failedRequests ?? null, seconds ?? null])).toEqual([
      [50, 'requests fail because of the database; further failures are counted until it is back', 'postgresql://db.example/tollgate', 'connect ECONNREFUSED 10.0.0.1:5432', null, null],
      [30, 'requests no longer fail because of the database', 'postgresql://db.example/tollgate', null, 500, 20],
    ]);
  });

  it('logs the error of the first address if several were tried', () => {
    outage.failed(new StoreUnavailable(new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')], '')), 'req_1');
    expect(lines).toMatchObject([{ reason: 'connect ECONNREFUSED ::1:5432', requestId: 'req_1' }]);
  });

  it('logs nothing for a database that never failed', () => {
    outage.succeeded();
    expect(lines).toEqual([]);
  });
});
