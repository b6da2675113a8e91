import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '@tollgate/testkit/programs';
import { openBeside } from './books/open-beside.js';
import { type Row, viewSqlite } from './books/database-view.js';
import { ENTRIES_QUERY } from './checks/seen-entries.js';
import type { World } from './world/world.js';

export const DAMAGES = ['cut', 'flip', 'blank', 'cut-and-flip', 'stale-block'] as const;
type Damage = (typeof DAMAGES)[number];

const PAGE_BYTES = 4096;
const MAX_FLIPS = 8;

function cut(log: Buffer, random: SeededRandom): Buffer {
  return log.subarray(0, random.between(0, log.length - 1));
}

function flip(log: Buffer, random: SeededRandom): Buffer {
  for (let flips = random.between(1, MAX_FLIPS); flips > 0 && log.length > 0; flips -= 1) {
    const position = random.between(0, log.length - 1);
    log.writeUInt8(log.readUInt8(position) ^ (1 << random.between(0, 7)), position);
  }
  return log;
}

/** Overwrites a block with zeros, as if it had never been written. */
function blank(log: Buffer, random: SeededRandom): Buffer {
  const start = random.between(0, log.length - 1);
  return log.fill(0, start, Math.min(log.length, start + random.between(1, PAGE_BYTES)));
}

/** Overwrites a block with one from elsewhere in the log, as if its last write were missing. */
function staleBlock(log: Buffer, random: SeededRandom): Buffer {
  const [from, to] = [random.between(0, log.length - 1), random.between(0, log.length - 1)];
  log.copy(log, to, from, Math.min(log.length, from + PAGE_BYTES));
  return log;
}

/** A copy of the log as it could be after a power failure, or on a disk that reports syncs too early. */
export function damaged(sound: Buffer, damage: Damage, random: SeededRandom): Buffer {
  const log = Buffer.from(sound);
  switch (damage) {
    case 'cut': return cut(log, random);
    case 'flip': return flip(log, random);
    case 'blank': return blank(log, random);
    case 'cut-and-flip': return flip(cut(log, random), random);
    case 'stale-block': return staleBlock(log, random);
  }
}

/** Numbers of frames in a log, from SQLite's WAL index. */
interface LogFrames {
  readonly all: number;
  /** Number of frames that may already be in the database file. */
  readonly checkpointed: number;
}

/** Offsets in the WAL index, whose format is stable. */
const LAST_FRAME_OFFSET = 16;
const CHECKPOINT_ATTEMPTED_OFFSET = 128;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Reads the numbers from the `-shm` file, in the byte order of this machine. */
export function readLogFrames(database: string): LogFrames {
  const index = new DataView(new Uint8Array(readFileSync(`${database}-shm`)).buffer);
  const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  return { all: index.getUint32(LAST_FRAME_OFFSET, isLittleEndian), checkpointed: index.getUint32(CHECKPOINT_ATTEMPTED_OFFSET, isLittleEndian) };
}

/** Number of bytes that certainly were synced. A checkpoint copies only synced bytes, so no power failure leaves a shorter log. */
export function certainBytes({ checkpointed }: LogFrames): number {
  return checkpointed === 0 ? 0 : LOG_HEADER_BYTES + checkpointed * (FRAME_HEADER_BYTES + PAGE_BYTES);
}

/** Number of frames to wait for: enough to cut within many requests, too few to trigger a checkpoint. */
const WANTED_FRAMES = 600;
const MAX_LOAD_MILLISECONDS = 20_000;
const LOOK_MILLISECONDS = 5;

export interface DamageFinding {
  readonly damage: Damage;
  readonly copies: number;
  /** Number of copies that could be opened and whose books balanced. */
  readonly consistent: number;
  /** Number of opened copies in which the last writes were missing. */
  readonly shortened: number;
  /** Number of copies that SQLite refused to open. */
  readonly refused: number;
  readonly violations: readonly string[];
}

interface TornOptions {
  readonly copies: number;
  readonly random: SeededRandom;
}

interface Left {
  readonly database: Buffer;
  readonly log: Buffer;
  /** Number of bytes that no damage may remove. */
  readonly certain: number;
}

type CopyFate = { readonly fate: 'refused' } | { readonly fate: 'consistent'; readonly entries: readonly Row[]; readonly problems: readonly string[] };

function openFrames(file: string): number {
  const { all, checkpointed } = readLogFrames(file);
  return all - checkpointed;
}

async function leftByKilledGateway(world: World): Promise<Left> {
  const { fleet, launches } = world;
  await fleet.start();
  const load = world.startLoad();
  const file = join(launches[0]?.folder ?? '', 'tollgate.db');
  const startedAt = performance.now();
  while (openFrames(file) < WANTED_FRAMES && performance.now() - startedAt < MAX_LOAD_MILLISECONDS) await pause(LOOK_MILLISECONDS);
  const gateway = fleet.at(0);
  gateway.kill();
  await gateway.ended;
  await load.stop();
  return { database: readFileSync(file), log: readFileSync(`${file}-wal`), certain: certainBytes(readLogFrames(file)) };
}

function isRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown.name === 'DatabaseUnavailableError' || ('code' in thrown && String(thrown.code).startsWith('SQLITE_'))) return true;
  // An error from another thread has only its message.
  return thrown.message === 'database disk image is malformed';
}

async function entriesIn(file: string): Promise<readonly Row[]> {
  const view = viewSqlite(file);
  const [entries = []] = await view.read([ENTRIES_QUERY]);
  await view.close();
  return entries;
}

async function open(file: string): Promise<CopyFate> {
  try {
    const store = await openBeside({ kind: 'sqlite', path: file });
    const { differences } = await store.ledgerAudit.verify();
    await store.close();
    return { fate: 'consistent', entries: await entriesIn(file), problems: differences.map(({ invariant, expected, found }) => `${invariant}: ${found} instead of ${expected}`) };
  } catch (thrown) {
    if (isRefusal(thrown)) return { fate: 'refused' };
    throw thrown;
  }
}

/** Violations: the books of a copy do not balance, or its ledger is not the beginning of the original's. */
function violationsOfCopy(entries: readonly Row[], problems: readonly string[], sound: readonly Row[]): readonly string[] {
  const isPrefix = entries.length <= sound.length && entries.every((row, place) => row.join('|') === sound[place]?.join('|'));
  return isPrefix ? problems : [...problems, 'the entries are not the first ones of the sound ledger'];
}

function joined(before: DamageFinding, fate: CopyFate, sound: readonly Row[]): DamageFinding {
  if (fate.fate === 'refused') return { ...before, copies: before.copies + 1, refused: before.refused + 1 };
  return {
    ...before,
    copies: before.copies + 1,
    consistent: before.consistent + 1,
    shortened: before.shortened + (fate.entries.length < sound.length ? 1 : 0),
    violations: [...before.violations, ...violationsOfCopy(fate.entries, fate.problems, sound)],
  };
}

async function soundEntries(folder: string, { database, log }: Left): Promise<readonly Row[]> {
  const file = join(folder, 'sound.db');
  writeFileSync(file, database);
  writeFileSync(`${file}-wal`, log);
  return entriesIn(file);
}

/** Damages copies of the log of a killed gateway, and opens each. It must either be refused, or have correct books that end earlier. */
export async function tearLogs(world: World, { copies, random }: TornOptions): Promise<readonly DamageFinding[]> {
  const left = await leftByKilledGateway(world);
  const folder = world.launches[0]?.folder ?? '';
  const sound = await soundEntries(folder, left);
  const findings = new Map<Damage, DamageFinding>(DAMAGES.map((damage) => [damage, { damage, copies: 0, consistent: 0, shortened: 0, refused: 0, violations: [] }]));
  for (let copy = 0; copy < copies; copy += 1) {
    const damage = DAMAGES[copy % DAMAGES.length] as Damage;
    const place = join(folder, 'copy');
    mkdirSync(place, { recursive: true });
    const file = join(place, 'tollgate.db');
    writeFileSync(file, left.database);
    writeFileSync(`${file}-wal`, Buffer.concat([left.log.subarray(0, left.certain), damaged(left.log.subarray(left.certain), damage, random)]));
    findings.set(damage, joined(findings.get(damage) as DamageFinding, await open(file), sound));
    rmSync(place, { recursive: true });
  }
  return [...findings.values()];
}
