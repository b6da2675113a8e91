import { resolve } from 'node:path';

/** A database file, or a database on a server that several gateways may share. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The URL without user, password and parameters. */
export function databaseNameOf(url: string): string {
  const [, place = ''] = /^[a-z]+:\/\/(?:[^@/]*@)?([^?#]*)/i.exec(url) ?? [];
  return place === '' || place.startsWith('/') ? `postgresql://localhost${place}` : `postgresql://${place}`;
}

/** Name of the database for messages: an absolute path, or a URL without user, password and parameters. */
export function databaseLocationName(location: DatabaseLocation): string {
  return location.kind === 'sqlite' ? `the file ${resolve(location.path)}` : databaseNameOf(location.url);
}

/** A database in memory, which lives as long as its connection. */
export const IN_MEMORY = ':memory:';
