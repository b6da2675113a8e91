import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Script } from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import { MAX_STATEMENTS, ScriptExecutor } from './script-executor.js';

let connection: Database.Database;
let executor: ScriptExecutor;

beforeEach(() => {
  connection = new Database(':memory:');
  executor = new ScriptExecutor(connection);
});

afterEach(() => {
  connection.close();
});

function* asking(sql: string, ...parameters: readonly unknown[]): Script<readonly unknown[]> {
  const { rows } = yield CompiledQuery.raw(sql, [...parameters]);
  return rows;
}

it('a query that runs with different parameters is prepared once', () => {
  const prepare = jest.spyOn(connection, 'prepare');
  expect([1, 2].map((value) => executor.run(asking('select ? as value', value)))).toEqual([[{ value: 1 }], [{ value: 2 }]]);
  expect(prepare).toHaveBeenCalledTimes(1);
});

it('a bounded number of statements is cached', () => {
  const queries = Array.from({ length: MAX_STATEMENTS }, (_, index) => `select ${index} as value`);
  for (const query of queries) executor.run(asking(query));
  const prepare = jest.spyOn(connection, 'prepare');
  executor.run(asking('select 0 as value'));
  expect(prepare).not.toHaveBeenCalled();
  executor.run(asking('select -1 as value'));
  executor.run(asking('select 0 as value'));
  expect(prepare).toHaveBeenCalledTimes(2);
});

it('a query returns the current columns of a table that was altered', () => {
  connection.exec('create table things (a integer); insert into things values (1)');
  expect(executor.run(asking('select * from things'))).toEqual([{ a: 1 }]);
  connection.exec('alter table things add column b integer default 2');
  expect(executor.run(asking('select * from things'))).toEqual([{ a: 1, b: 2 }]);
});

it('a query that failed can be run again', () => {
  connection.exec('create table things (a integer unique); insert into things values (1)');
  const insert = (value: number): readonly unknown[] => executor.run(asking('insert into things values (?)', value));
  expect(() => insert(1)).toThrow('UNIQUE');
  insert(2);
  expect(executor.run(asking('select a from things order by a'))).toEqual([{ a: 1 }, { a: 2 }]);
});
