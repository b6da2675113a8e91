import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LedgerReader, type LedgerPrefix } from '../books/ledger-reader.js';
import { openBeside } from '../books/seed-accounts.js';
import { GatewayProcess } from '../processes/gateway-process.js';
import type { Random } from '../random.js';
import type { World } from '../rounds/world.js';
import { type Damage, damaged, DAMAGES } from './damage.js';

const LOAD_MILLISECONDS = 1500;

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
  readonly random: Random;
}

type CopyFate = { readonly fate: 'refused' } | { readonly fate: 'consistent'; readonly entries: LedgerPrefix; readonly problems: readonly string[] };

/** What a gateway that was killed under load leaves on the disk. */
async function leftByKilledGateway(world: World): Promise<{ readonly database: Buffer; readonly log: Buffer }> {
  const gateway = GatewayProcess.spawn(world.place, null);
  const load = world.startLoad(await gateway.ready());
  await pause(LOAD_MILLISECONDS);
  gateway.kill();
  await gateway.ended;
  await load.stop();
  return { database: readFileSync(world.place.database), log: readFileSync(`${world.place.database}-wal`) };
}

function isRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return thrown.name === 'DatabaseUnavailableError' || ('code' in thrown && String(thrown.code).startsWith('SQLITE_'));
}

async function open(file: string): Promise<CopyFate> {
  try {
    const store = await openBeside(file);
    const { differences } = await store.ledgerAudit.verify();
    await store.close();
    const reader = new LedgerReader(file);
    const entries = reader.prefix(null);
    reader.close();
    return { fate: 'consistent', entries, problems: differences.map(({ invariant, expected, found }) => `${invariant}: ${found} instead of ${expected}`) };
  } catch (thrown) {
    if (isRefusal(thrown)) return { fate: 'refused' };
    throw thrown;
  }
}

function judged(fate: CopyFate, sound: LedgerReader): { readonly shortened: boolean; readonly violations: readonly string[] } {
  if (fate.fate === 'refused') return { shortened: false, violations: [] };
  const { entries, problems } = fate;
  const whole = sound.prefix(null);
  const isPrefix = entries.lastEntry === 0n || sound.prefix(entries.lastEntry).hash === entries.hash;
  return {
    shortened: entries.lastEntry < whole.lastEntry,
    violations: isPrefix ? problems : [...problems, 'the entries are not the first ones of the sound ledger'],
  };
}

/** Damages copies of the write-ahead log of a killed gateway, and opens each: books that are sound and end earlier, or a refusal, and nothing else. */
export async function tearLogs(world: World, { copies, random }: TornOptions): Promise<readonly DamageFinding[]> {
  const left = await leftByKilledGateway(world);
  const folder = join(world.place.folder, 'copy');
  const soundFile = join(world.place.folder, 'sound.db');
  writeFileSync(soundFile, left.database);
  copyFileSync(`${world.place.database}-wal`, `${soundFile}-wal`);
  const sound = new LedgerReader(soundFile);
  const findings = new Map<Damage, DamageFinding>(DAMAGES.map((damage) => [damage, { damage, copies: 0, consistent: 0, shortened: 0, refused: 0, violations: [] }]));
  for (let copy = 0; copy < copies; copy += 1) {
    const damage = DAMAGES[copy % DAMAGES.length] as Damage;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'tollgate.db');
    writeFileSync(file, left.database);
    writeFileSync(`${file}-wal`, damaged(left.log, damage, random));
    const fate = await open(file);
    const { shortened, violations } = judged(fate, sound);
    const before = findings.get(damage) as DamageFinding;
    findings.set(damage, {
      damage,
      copies: before.copies + 1,
      consistent: before.consistent + (fate.fate === 'consistent' ? 1 : 0),
      shortened: before.shortened + (shortened ? 1 : 0),
      refused: before.refused + (fate.fate === 'refused' ? 1 : 0),
      violations: [...before.violations, ...violations],
    });
    rmSync(folder, { recursive: true });
  }
  sound.close();
  return [...findings.values()];
}
