import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { outboxFileOf, type Settings } from '@tollgate/adapters-config';
import { IN_MEMORY } from '@tollgate/sql-common';
import { type Check, ok, problem, warning } from './doctor-checks.js';

const OTHERS = 0o077;
const BESIDE_A_DATABASE = ['', '-wal', '-shm', '-journal', '-outbox'];

/**
 * Checks that other users have no access to the files with balances, replies, messages and the secret; missing files pass. Checks too that the outbox
 * can be written. A relative path of the outbox starts in `folder`.
 */
export function fileChecks(settings: Settings, folder: string): readonly Check[] {
  const { database, outboxFile, mail, secret: { source } } = settings;
  const file = database.kind === 'sqlite' && database.path !== IN_MEMORY ? database.path : null;
  const files = [
    ...(file === null ? [] : BESIDE_A_DATABASE.map((ending) => `${file}${ending}`)),
    ...(outboxFile === null ? [] : [outboxFile]),
    ...(source.kind === 'file' ? [source.path] : []),
  ];
  const folders = [...(file === null ? [] : [dirname(file)]), ...(mail.kind === 'folder' ? [mail.folder] : [])];
  const warnings = [...folders.flatMap((path) => modeWarnings(path, '700')), ...files.flatMap((path) => modeWarnings(path, '600'))];
  const findings = [...warnings, ...outboxProblems(outboxFileOf(settings), folder)];
  return findings.length === 0 ? [ok('files', 'the data is readable by its owner alone')] : findings;
}

/** The gateway needs the outbox only when the database fails, so this check finds in advance an outbox that cannot be written. */
function outboxProblems(named: string | null, folder: string): readonly Check[] {
  if (named === null) return [];
  const path = resolve(folder, named);
  const cannot = (reason: string): readonly Check[] => [problem('files', `the outbox ${path} cannot be written: ${reason}. Requests are refused while the database does not accept settlements.`)];
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return cannot('it is not a file');
  try {
    accessSync(existsSync(path) ? path : nearestFolder(path), constants.W_OK);
    return [];
  } catch (thrown) {
    return cannot(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** The nearest parent folder that exists; the gateway creates the missing ones below it. */
function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : nearestFolder(folder);
}

function modeWarnings(path: string, wanted: string): readonly Check[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & OTHERS) === 0) return [];
  const mode = (stats.mode & 0o777).toString(8);
  return [warning('files', `${path} has mode ${mode}, so other users of this machine may use it. Run: chmod ${wanted} '${path}'`)];
}
