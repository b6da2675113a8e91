import { beforeEach, describe, expect, it } from '@jest/globals';
import { CommitMarks } from './commit-marks.js';
import { onDatabase, postgresFixture } from '../test-support/postgres-stores.js';

const postgres = postgresFixture();
const WRITING = 'begin; select pg_current_xact_id()';
const COUNT = 'select count(*)::int as count from script_commits';

describe('commit marks', () => {
  let url: string;
  let marks: CommitMarks;

  beforeEach(async () => {
    url = await postgres.lendStoreDatabase();
    marks = new CommitMarks();
  });

  it('are found if their transaction was committed, and not if it was rolled back or never ran', async () => {
    const [committed, rolledBack, unused] = [marks.next(), marks.next(), marks.next()];
    await onDatabase(url, WRITING, committed.insertion, 'commit', WRITING, rolledBack.insertion, 'rollback');
    expect(await onDatabase(url, committed.lookup)).toHaveLength(1);
    expect(await onDatabase(url, rolledBack.lookup)).toEqual([]);
    expect(await onDatabase(url, unused.lookup)).toEqual([]);
  });

  it('occupy one row for each script runner, however many it writes', async () => {
    for (const { insertion } of [marks.next(), marks.next(), new CommitMarks().next()]) await onDatabase(url, WRITING, insertion, 'commit');
    expect(await onDatabase(url, COUNT)).toEqual([{ count: 2 }]);
  });

  it('are not written by a transaction that only reads', async () => {
    await onDatabase(url, 'begin', COUNT, marks.next().insertion, 'commit');
    expect(await onDatabase(url, COUNT)).toEqual([{ count: 0 }]);
  });

  it('of other script runners are deleted after an hour, when a runner writes its first mark', async () => {
    const [old, recent] = [new CommitMarks().next(), new CommitMarks().next()];
    await onDatabase(url, WRITING, old.insertion, "update script_commits set committed_at = now() - interval '61 minutes'", 'commit');
    await onDatabase(url, WRITING, recent.insertion, "update script_commits set committed_at = now() - interval '59 minutes'", 'commit');
    await onDatabase(url, WRITING, marks.next().insertion, 'commit');
    expect(await onDatabase(url, old.lookup)).toEqual([]);
    expect(await onDatabase(url, recent.lookup)).toHaveLength(1);
    expect(await onDatabase(url, COUNT)).toEqual([{ count: 2 }]);
  });
});
