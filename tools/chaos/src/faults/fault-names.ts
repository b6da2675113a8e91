/** What each fault round does, by the name that options use. */
export const FAULTS = {
  'clock-ahead': 'repeats keyed requests at a gateway whose clock is 12 s ahead',
  'database-cut': 'repeats keyed requests elsewhere while their gateway is cut off from the database for 22 s',
  'gateway-stopped': 'repeats keyed requests elsewhere while their gateway is stopped for 22 s',
  'database-paused': 'PostgreSQL is paused for 25 s',
  'sweep-while-pending': 'a gateway is cut off from the database while its settlements are queued, until another has swept its reservations',
  'sync-fails': 'fdatasync fails for 6 s on a database file (needs Linux and a C compiler)',
  'disk-full': 'the disk of a database file is full for 6 s (needs Linux and root)',
  'columns-postgres': 'a column is added to every table in turn, on PostgreSQL',
  'columns-sqlite': 'a column is added to every table in turn, on SQLite',
  'failover': 'PostgreSQL fails over to a standby that lags',
  'sync-refuses': 'fdatasync fails for 10 s: requests are refused, streams do not break (needs Linux and a C compiler)',
  'shop-sqlite': 'a shop keeps its own books while its gateway is killed again and again, on SQLite',
  'shop-postgres': 'the same with two gateways on PostgreSQL',
  'buyers-sqlite': 'owners buy credit in the simulated checkout while their gateway is killed again and again, on SQLite',
  'buyers-postgres': 'the same with two gateways on PostgreSQL',
} as const satisfies Readonly<Record<string, string>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];
