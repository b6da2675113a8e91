import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '@tollgate/adapters-config';
import { IN_MEMORY } from '@tollgate/adapters-sql';
import { type Check, ok, warning } from './check.js';

const OTHERS = 0o077;
const BESIDE_A_DATABASE = ['', '-wal', '-shm', '-journal', '-outbox'];

/** Whether only their owner may read the files that hold balances, replies, messages and the secret. Files that are not there yet are left out. */
export function fileChecks({ database, outboxFile, mail, secret: { source } }: Settings): readonly Check[] {
  const file = database.kind === 'sqlite' && database.path !== IN_MEMORY ? database.path : null;
  const files = [
    ...(file === null ? [] : BESIDE_A_DATABASE.map((ending) => `${file}${ending}`)),
    ...(outboxFile === null ? [] : [outboxFile]),
    ...(source.kind === 'file' ? [source.path] : []),
  ];
  const folders = [...(file === null ? [] : [dirname(file)]), ...(mail.kind === 'folder' ? [mail.folder] : [])];
  const warnings = [...folders.flatMap((path) => modeWarnings(path, '700')), ...files.flatMap((path) => modeWarnings(path, '600'))];
  return warnings.length === 0 ? [ok('files', 'the data is readable by its owner alone')] : warnings;
}

function modeWarnings(path: string, wanted: string): readonly Check[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & OTHERS) === 0) return [];
  const mode = (stats.mode & 0o777).toString(8);
  return [warning('files', `${path} has mode ${mode}, so other users of this machine may use it. Run: chmod ${wanted} '${path}'`)];
}
