import type { SqliteConnection } from './sqlite-connection.js';

/** The path of a database as SQLite names it, which resolves links. */
export function fileOf(connection: SqliteConnection): string {
  const databases = connection.pragma('database_list') as readonly { readonly name: string; readonly file: string }[];
  return databases.find(({ name }) => name === 'main')?.file ?? connection.name;
}
