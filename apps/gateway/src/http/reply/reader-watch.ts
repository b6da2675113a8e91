import { readFile } from 'node:fs/promises';
import { isIPv6, type Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { type Clock, parseAddress } from '@tollgate/core';

/** Resolves once the kernel has taken all data, or the client is gone or stalled. */
export function flushed(res: ServerResponse, clock: Clock): Promise<void> {
  if (res.writableLength === 0 || res.closed) return Promise.resolve();
  const watch = new ReaderWatch(res.req.socket, clock);
  return new Promise((resolve) => {
    const go = (): void => {
      watch.stop();
      res.off('close', go);
      resolve();
    };
    res.once('close', go);
    // The callback of an empty write runs after the earlier writes. Node emits no `drain` below the high-water mark.
    res.write('', go);
  });
}

/** Destroys the connection of a client that does not read. */
export function watchToEnd(res: ServerResponse, clock: Clock): void {
  // The operating system accepts most replies at once.
  if (res.writableLength === 0 || res.closed) return;
  const watch = new ReaderWatch(res.req.socket, clock);
  res.once('close', () => watch.stop());
}

/** A client that takes fewer bytes per `READING_PERIOD_MILLISECONDS` counts as not reading. */
const MIN_BYTES = 1024;
const READING_PERIOD_MILLISECONDS = 60_000;
/** Delay before the first progress is recorded, with which the first check compares. Most clients have read everything by then. */
const FIRST_LOOK_MILLISECONDS = 1000;

/**
 * Destroys connections whose clients take less than 1 KiB of the waiting data per period. Where the system exposes it, data that clients take from
 * the kernel's buffer counts too: that buffer holds megabytes, and accepts more data only when a third of it is free.
 */
export class ReaderWatch {
  #stopped = false;
  #before: Promise<Progress> | null = null;
  #cancelLook: () => void;
  #cancelCheck: () => void;

  constructor(private readonly socket: Socket, private readonly clock: Clock) {
    this.#cancelLook = clock.schedule(FIRST_LOOK_MILLISECONDS, () => {
      this.#before = progressOf(socket);
    });
    this.#cancelCheck = this.checkLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelLook();
    this.#cancelCheck();
  }

  private checkLater(): () => void {
    return this.clock.schedule(READING_PERIOD_MILLISECONDS, () => void this.check());
  }

  private async check(): Promise<void> {
    const now = progressOf(this.socket);
    const taken = hasTaken(await (this.#before ?? now), await now);
    if (this.#stopped) return;
    // The client is not at fault without waiting data, for example while an earlier reply on the connection has nothing to send.
    if (!taken && this.socket.writableLength > 0) {
      this.socket.destroy();
      return;
    }
    this.#before = now;
    this.#cancelCheck = this.checkLater();
  }
}

interface Progress {
  /** Bytes passed to the kernel in total. */
  readonly handedOn: number;
  /** Bytes that the peer has not acknowledged. */
  readonly unacknowledged: number;
}

async function progressOf(socket: Socket): Promise<Progress> {
  return { handedOn: socket.bytesWritten - socket.writableLength, unacknowledged: await unacknowledgedBytes(socket) };
}

/** While data waits, the figures only change if the client reads. */
function hasTaken(before: Progress, now: Progress): boolean {
  return Math.max(Math.abs(now.handedOn - before.handedOn), Math.abs(now.unacknowledged - before.unacknowledged)) >= MIN_BYTES;
}

/** Tables of TCP connections, on Linux only. */
const TABLES = { ipv4: '/proc/net/tcp', ipv6: '/proc/net/tcp6' } as const;
type Table = keyof typeof TABLES;

interface Queues {
  readonly unacknowledged: number;
  readonly unread: number;
}
type Connections = ReadonlyMap<string, Queues>;

/** A line of the table: both ends, the state, and unacknowledged and unread bytes. Lines where both are 0 do not match. */
const LINE = /^ *\d+: ([0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} (?!0{8}:0{8})([0-9A-F]{8}):([0-9A-F]{8})/gm;
const MAPPED_WORDS = ['00000000', '00000000', '0000FFFF'];

function hexadecimal(value: number | bigint, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** Words of 32 bits that an address consists of. */
function wordsOf(address: string): readonly string[] {
  const { width, value } = parseAddress(address) ?? { width: 32, value: 0n };
  const words = hexadecimal(value, width / 4).match(/.{8}/g) ?? [];
  return width === 32 && address.includes(':') ? [...MAPPED_WORDS, ...words] : words;
}

/** Formats an address as in the table: words with reversed bytes. */
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

/** Reads the table; concurrent calls share one read. */
function sharedReading(table: Table): Promise<Connections> {
  return running[table] ??= readTable(table).finally(() => {
    delete running[table];
  });
}

/**
 * Number of sent bytes that the peer has not taken; 0 if the system does not tell. For a local peer, such as a proxy, bytes that it received and
 * did not read are included.
 */
export async function unacknowledgedBytes({ localAddress, localPort, remoteAddress, remotePort }: Socket): Promise<number> {
  if (localAddress === undefined || localPort === undefined || remoteAddress === undefined || remotePort === undefined) return 0;
  const table = await sharedReading(isIPv6(localAddress) ? 'ipv6' : 'ipv4');
  const [here, there] = [endOf(localAddress, localPort), endOf(remoteAddress, remotePort)];
  return (table.get(`${here} ${there}`)?.unacknowledged ?? 0) + (table.get(`${there} ${here}`)?.unread ?? 0);
}
