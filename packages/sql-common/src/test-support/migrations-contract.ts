import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Migrations of a database that is empty at the start. */
export interface MigrationsSubject {
  /** Steps of this version, in order. */
  readonly steps: readonly string[];
  /** Migrates with the steps of this version and those of `later`. Returns the steps that were applied. */
  migrate(later?: Readonly<Record<string, Migration>>): Promise<readonly string[]>;
  run(statement: string): Promise<unknown>;
  close(): Promise<void>;
}

const COLUMN = '9001-column';
const FAILURE = '9002-failure';
const ADD_COLUMN: Migration = { up: async (db: Kysely<unknown>) => void await sql`alter table platform_settings add column later bigint`.execute(db) };
const FAIL: Migration = { up: async (db: Kysely<unknown>) => void await sql`alter table no_such_table add column later bigint`.execute(db) };

export function migrationsContract(database: string, make: () => Promise<MigrationsSubject>): void {
  describe(`migrations of ${database}`, () => {
    let subject: MigrationsSubject;
    beforeEach(async () => {
      subject = await make();
    });
    afterEach(() => subject.close());

    it('run once, in the order of their names, and keep the data', async () => {
      expect(subject.steps).toEqual(subject.steps.toSorted());
      expect(await subject.migrate()).toEqual(subject.steps);
      await subject.run("insert into platform_settings (name, value) values ('kept', 'yes')");
      expect(await subject.migrate({ [COLUMN]: ADD_COLUMN })).toEqual([COLUMN]);
      expect(await subject.migrate({ [COLUMN]: ADD_COLUMN })).toEqual([]);
      expect(await subject.run('select name, value, later from platform_settings')).toEqual([{ name: 'kept', value: 'yes', later: null }]);
    });

    it('take effect together or not at all', async () => {
      await subject.migrate();
      await expect(subject.migrate({ [COLUMN]: ADD_COLUMN, [FAILURE]: FAIL })).rejects.toThrow('no_such_table');
      await expect(subject.run('select later from platform_settings')).rejects.toThrow('later');
      expect(await subject.migrate()).toEqual([]);
    });

    it('are carried out by only one of several programs that start concurrently', async () => {
      await subject.migrate();
      const taken = await Promise.all(Array.from({ length: 4 }, () => subject.migrate({ [COLUMN]: ADD_COLUMN })));
      expect(taken.flat()).toEqual([COLUMN]);
    });

    it('refuse a database of a newer version', async () => {
      await subject.migrate({ [COLUMN]: ADD_COLUMN });
      await expect(subject.migrate()).rejects.toThrow(`the database was written by a newer version of Tollgate (it has ${COLUMN})`);
    });

    it('refuse a database from before the first release, and change nothing', async () => {
      await subject.migrate();
      await subject.run("update schema_migrations set name = '0001-initial' where name = '0001-baseline'");
      const refusal = 'the database was made by a version of Tollgate before the first release, and this version cannot migrate it; set DATABASE_URL to a new database';
      await expect(subject.migrate()).rejects.toThrow(refusal);
      await expect(subject.migrate({ [COLUMN]: ADD_COLUMN })).rejects.toThrow(refusal);
      await expect(subject.run('select later from platform_settings')).rejects.toThrow('later');
    });
  });
}
