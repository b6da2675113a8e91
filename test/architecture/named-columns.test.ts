import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const projectRoot = join(import.meta.dirname, '../..');
/** Released migrations, which cannot be changed. Their row types do no harm, because PostgreSQL resolves them at each call. */
const RELEASED = [1, 2, 3, 4, 5].map((version) => `packages/adapters-postgres/sql/money-${version}.sql`);

const EVERY_COLUMN = [
  /\.(?:selectAll|returningAll)\(/u,
  /\b(?:select|returning)\s+(?:all\s+|distinct\s+)?(?:\w+\.)?\*/iu,
  /,\s*\w+\.\*/u,
];
/** A PL/pgSQL variable with all columns of a table. */
const ROW_TYPE = /%rowtype\b/iu;
const INSERT_WITHOUT_COLUMNS = /\binsert\s+into\s+\w+\s+(?:values|select)\b/iu;

function tablesOf(sources: readonly string[]): readonly string[] {
  return sources.flatMap((source) => [...source.matchAll(/^ {2}(?<table>[a-z_]+): \w+Table;$/gmu)].map((match) => match.groups?.table ?? ''));
}

const TABLES = tablesOf([readFileSync(join(projectRoot, 'packages/sql-common/src/schema/database-schema.ts'), 'utf8')]);
const TABLE_VARIABLE = new RegExp(`^\\s+\\w+ (?:${TABLES.join('|')});$`, 'mu');

function leavesColumnsUnnamed(path: string, source: string): boolean {
  const patterns = path.endsWith('.sql') ? [...EVERY_COLUMN, ROW_TYPE, TABLE_VARIABLE, INSERT_WITHOUT_COLUMNS] : [...EVERY_COLUMN, INSERT_WITHOUT_COLUMNS];
  return patterns.some((pattern) => pattern.test(source));
}

describe('SQL statements', () => {
  it('name their columns, so that a newer release can add columns while gateways of both releases share a database', () => {
    const paths = globSync(['packages/{sql-common,adapters-*}/{src,sql}/**/*.{ts,sql}', 'apps/{gateway,cli}/src/**/*.ts'], { cwd: projectRoot })
      .filter((path) => !path.endsWith('.test.ts') && !path.includes('/test-support/') && !RELEASED.includes(path));
    expect(paths.length).toBeGreaterThan(200);
    expect(TABLES.length).toBeGreaterThan(30);
    expect(paths.filter((path) => leavesColumnsUnnamed(path, readFileSync(join(projectRoot, path), 'utf8')))).toEqual([]);
  });

  it.each([
    ['a.ts', "queries.selectFrom('accounts').selectAll()"],
    ['a.ts', "queries.selectFrom('accounts').selectAll('accounts')"],
    ['a.ts', "queries.updateTable('accounts').returningAll()"],
    ['a.ts', 'sql`select * from accounts`'],
    ['a.ts', 'const text = "SELECT DISTINCT a.* FROM accounts a"'],
    ['a.ts', '`select k.id, a.* from accounts a`'],
    ['a.ts', '`update accounts set balance = 1 returning *`'],
    ['a.ts', '`insert into accounts values (1)`'],
    ['a.ts', '`insert into accounts select 1`'],
    ['a.sql', 'declare\n  found accounts%rowtype;'],
    ['a.sql', 'declare\n  recorded usage_records;\nbegin'],
  ])('are reported if they do not name their columns, as in %s: %s', (path, source) => {
    expect(leavesColumnsUnnamed(path, source)).toBe(true);
  });

  it('may use count(*) without column names', () => {
    expect(leavesColumnsUnnamed('a.sql', 'select count(*), k.id from keys k; insert into accounts (id) values (1)')).toBe(false);
  });
});
