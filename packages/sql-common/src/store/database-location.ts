import { resolve } from 'node:path';

/** A file, or a server that several gateways share. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The database of a URL as messages may show it: no user, no password, no parameters. */
export function databaseNameOf(url: string): string {
  const [, place = ''] = /^[a-z]+:\/\/(?:[^@/]*@)?([^?#]*)/i.exec(url) ?? [];
  return place === '' || place.startsWith('/') ? `postgresql://localhost${place}` : `postgresql://${place}`;
}

/** Where a database is, as messages may show it: a file with its whole path, or a server without user, password and parameters. */
export function databaseLocationName(location: DatabaseLocation): string {
  return location.kind === 'sqlite' ? `the file ${resolve(location.path)}` : databaseNameOf(location.url);
}

/** A database that lives as long as its connection; for tests and trials. */
export const IN_MEMORY = ':memory:';
