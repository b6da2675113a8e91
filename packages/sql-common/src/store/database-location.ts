import { resolve } from 'node:path';

/** A database file, or a database on a server that several gateways may share. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const AUTHORITY_AND_PATH = /^[a-z]+:\/\/([^?#]*)/i;
/** Host, port and database. */
const READABLE = /^(?:\[[\da-f:.]+\]|[^:/]*)(?::\d*)?(?:\/[^:]*)?$/i;

/**
 * The URL without user, password and parameters. An address that cannot be read is not shown, because an unescaped character of the password may be what
 * makes it unreadable.
 */
export function databaseNameOf(url: string): string {
  const [, named = ''] = AUTHORITY_AND_PATH.exec(url) ?? [];
  const place = named.slice(named.lastIndexOf('@') + 1);
  const mayBeginInPassword = url.includes('@') && !named.includes('@');
  if (mayBeginInPassword || !READABLE.test(place)) return 'postgresql://(unreadable address)';
  return place === '' || place.startsWith('/') ? `postgresql://localhost${place}` : `postgresql://${place}`;
}

/** Name of the database for messages: an absolute path, or a URL without user, password and parameters. */
export function databaseLocationName(location: DatabaseLocation): string {
  return location.kind === 'sqlite' ? `the file ${resolve(location.path)}` : databaseNameOf(location.url);
}

/** A database in memory, which lives as long as its connection. */
export const IN_MEMORY = ':memory:';
