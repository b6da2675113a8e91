import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '@tollgate/testkit/programs';
import type { Row } from '../books/database-view.js';
import { openBeside } from '../books/open-beside.js';
import { viewSqlite } from '../books/sqlite-view.js';
import { ENTRIES_QUERY } from '../checks/seen-entries.js';
import type { World } from '../worlds/world.js';
import { type Damage, damaged, DAMAGES } from './damage.js';
import { certainBytes, readLogFrames } from './log-frames.js';

/** Enough for the log to be cut anywhere in the work of many requests, and fewer than make SQLite checkpoint it. */
const WANTED_FRAMES = 600;
const LONGEST_LOAD_MILLISECONDS = 20_000;
const LOOK_MILLISECONDS = 5;

/** What became of the copies with one kind of damage. */
export interface DamageFinding {
  readonly damage: Damage;
  readonly copies: number;
  /** Opened with sound books. */
  readonly consistent: number;
  /** Of these, copies that had lost what was written last. */
  readonly shortened: number;
  /** Not opened. */
  readonly refused: number;
  readonly violations: readonly string[];
}

export interface TornOptions {
  readonly copies: number;
  readonly random: SeededRandom;
}

/** What is left of a database on the disk. */
interface Left {
  readonly database: Buffer;
  readonly log: Buffer;
  /** The part of the log that a disk cannot lose. */
  readonly certain: number;
}

type CopyFate = { readonly fate: 'refused' } | { readonly fate: 'consistent'; readonly entries: readonly Row[]; readonly problems: readonly string[] };

function openFrames(file: string): number {
  const { all, checkpointed } = readLogFrames(file);
  return all - checkpointed;
}

/** What a gateway that was killed under load leaves on the disk. */
async function leftByKilledGateway(world: World): Promise<Left> {
  const { fleet, places } = world;
  await fleet.start();
  const load = world.startLoad();
  const file = join(places[0]?.folder ?? '', 'tollgate.db');
  const startedAt = performance.now();
  while (openFrames(file) < WANTED_FRAMES && performance.now() - startedAt < LONGEST_LOAD_MILLISECONDS) await pause(LOOK_MILLISECONDS);
  const gateway = fleet.at(0);
  gateway.kill();
  await gateway.ended;
  await load.stop();
  return { database: readFileSync(file), log: readFileSync(`${file}-wal`), certain: certainBytes(readLogFrames(file)) };
}

function isRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown.name === 'DatabaseUnavailableError' || ('code' in thrown && String(thrown.code).startsWith('SQLITE_'))) return true;
  // What another thread found keeps its text only.
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

/** What is wrong with a copy that opened: books that do not agree, or entries that are not the first ones of the sound ledger. */
export function violationsOfCopy(entries: readonly Row[], problems: readonly string[], sound: readonly Row[]): readonly string[] {
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

/** Damages copies of the write-ahead log of a killed gateway, and opens each: books that are sound and end earlier, or a refusal, and nothing else. */
export async function tearLogs(world: World, { copies, random }: TornOptions): Promise<readonly DamageFinding[]> {
  const left = await leftByKilledGateway(world);
  const folder = world.places[0]?.folder ?? '';
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
