import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { History } from './run-histories.js';

const FOLDER = join(import.meta.dirname, 'regressions');
const NAME_LENGTH = 12;

/** Writes a history into the folder of those that every test run plays again; gives the file's name. */
export function keepHistory(kind: string, history: History<unknown>): string {
  const text = `${JSON.stringify(history, null, 2)}\n`;
  const name = `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH)}.json`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, name), text);
  return name;
}

/** The histories of a kind that failed once. */
export function keptHistories<Step>(kind: string): readonly History<Step>[] {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.json')).toSorted();
  // Written by `keepHistory` from steps of the same kind.
  return names.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as History<Step>);
}
