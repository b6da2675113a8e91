import { readFile } from 'node:fs/promises';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import { ipv6Groups } from '../peer-network.js';

/** Where Linux lists the connections of this machine; other systems have no such file. */
const TABLES = { ipv4: '/proc/net/tcp', ipv6: '/proc/net/tcp6' } as const;
type Table = keyof typeof TABLES;

interface Queues {
  readonly unacknowledged: number;
  readonly unread: number;
}
type Connections = ReadonlyMap<string, Queues>;

/** A line of such a table: both ends, the state, and the bytes that wait to be acknowledged and to be read, unless there are none. */
const LINE = /^ *\d+: ([0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} (?!0{8}:0{8})([0-9A-F]{8}):([0-9A-F]{8})/gm;
const MAPPED_PREFIX = '::ffff:';
const MAPPED_WORDS = ['00000000', '00000000', '0000FFFF'];

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** An address in words of 32 bits. */
function wordsOf(address: string): readonly string[] {
  if (isIPv4(address)) return [address.split('.').map((byte) => hexadecimal(Number(byte), 2)).join('')];
  if (address.startsWith(MAPPED_PREFIX)) return [...MAPPED_WORDS, ...wordsOf(address.slice(MAPPED_PREFIX.length))];
  const groups = ipv6Groups(address).map((group) => hexadecimal(Number.parseInt(group, 16), 4));
  return [0, 2, 4, 6].map((at) => `${groups[at]}${groups[at + 1]}`);
}

/** One end of a connection as the tables name it: each word begins with its last byte. */
function endOf(address: string, port: number): string {
  const words = wordsOf(address).map((word) => (word.match(/../g) ?? []).toReversed().join(''));
  return `${words.join('')}:${hexadecimal(port, 4)}`;
}

async function readTable(table: Table): Promise<Connections> {
  const text = await readFile(TABLES[table], 'latin1').catch(() => '');
  return new Map(Array.from(text.matchAll(LINE), ([, ends = '', sent = '', received = '']) => [
    ends, { unacknowledged: Number.parseInt(sent, 16), unread: Number.parseInt(received, 16) },
  ]));
}

const running: Partial<Record<Table, Promise<Connections>>> = {};

/** Calls that come while a table is being read share that reading: with many connections it is long. */
function sharedReading(table: Table): Promise<Connections> {
  return running[table] ??= readTable(table).finally(() => {
    delete running[table];
  });
}

/**
 * How much of what the operating system took to send on a connection its peer has yet to take; 0 where the system does not tell.
 * Of a peer on the same machine, such as a proxy, what it has received and not read counts too.
 */
export async function unacknowledgedBytes({ localAddress, localPort, remoteAddress, remotePort }: Socket): Promise<number> {
  if (localAddress === undefined || localPort === undefined || remoteAddress === undefined || remotePort === undefined) return 0;
  const table = await sharedReading(isIPv6(localAddress) ? 'ipv6' : 'ipv4');
  const [here, there] = [endOf(localAddress, localPort), endOf(remoteAddress, remotePort)];
  return (table.get(`${here} ${there}`)?.unacknowledged ?? 0) + (table.get(`${there} ${here}`)?.unread ?? 0);
}
