import { closeSync, copyFileSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { printable } from '@tollgate/core';
import type { Settings } from '@tollgate/adapters-config';
import { type DatabaseLocation, databaseLocationName, DatabaseUnavailableError, IN_MEMORY, MissingDatabaseError, type StoreReader, UnusableSchemaError } from '@tollgate/sql-common';
import { byteSizeText } from '../program/byte-size.js';
import { CommandFailure, misuse } from '../program/command-failure.js';
import { EXIT_CODES } from '../program/exit-codes.js';
import type { Report } from '../program/report.js';
import { databases, IN_MEMORY_ONLY } from '../program/open-database.js';
import { type ProgramContext, settingsOf } from '../program/program-settings.js';

interface Verdict {
  readonly accounts: number;
  readonly entries: number;
  readonly auditEntries: number;
  /** Problems as sentences; empty if the copy is complete and valid. */
  readonly problems: readonly string[];
}

interface CopyOptions {
  /** True to replace existing files: a backup overwrites them, a restore renames them. */
  readonly force: boolean;
  readonly progress: (text: string) => void;
}

const OWNER_ONLY_UMASK = 0o077;
const POSTGRES_PAGE = 'docs/postgresql.md';

/** Copies the database to a file, while a gateway may be running. The copy gets its final name only after it has been verified. */
export async function backUpDatabase(programContext: ProgramContext, target: string, options: CopyOptions): Promise<Report> {
  const { settings } = settingsOf(programContext);
  const [source, file] = [fileOf(settings.database, 'are backed up'), resolve(programContext.folder, target)];
  if (isOneOf(file, COMPANIONS.map((ending) => `${source}${ending}`))) throw misuse('the backup must not have the name of the database or of a file that belongs to it');
  if (existsSync(file) && !options.force) throw new CommandFailure(`${file} exists; --force replaces it`);
  const part = `${file}.part`;
  if (existsSync(part)) throw new CommandFailure(`${part} exists: another backup is running, or was interrupted. If none is running, remove the file and try again`);
  const startedAt = performance.now();
  try {
    await (await databases.files()).copyDatabase(source, part, ({ copiedBytes, totalBytes }) => {
      options.progress(`Copied ${byteSizeText(copiedBytes)} of about ${byteSizeText(totalBytes)}`);
    });
    options.progress('Verifying the copy …');
    const verdict = await verify({ kind: 'sqlite', path: part });
    if (verdict.problems.length > 0) throw new CommandFailure(`the copy was not kept: ${verdict.problems.join('; ')}`);
    putInPlace(part, file);
    return backupReport(settings, file, { verdict, seconds: (performance.now() - startedAt) / 1_000 });
  } catch (thrown) {
    rmSync(part, { force: true });
    throw thrown;
  }
}

/** True if the path leads to one of the files, even by a link or by another spelling. */
function isOneOf(path: string, files: readonly string[]): boolean {
  const own = statSync(path, { throwIfNoEntry: false, bigint: true });
  return files.some((file) => {
    const other = statSync(file, { throwIfNoEntry: false, bigint: true });
    return path === file || (own !== undefined && own.dev === other?.dev && own.ino === other.ino);
  });
}

function fileOf(database: DatabaseLocation, are: string): string {
  if (database.kind === 'postgres') throw misuse(`databases on PostgreSQL ${are} by PostgreSQL's own tools; see ${POSTGRES_PAGE}`);
  if (database.path === IN_MEMORY) throw misuse(IN_MEMORY_ONLY);
  return database.path;
}

/** Syncs the new file, gives it its final name and syncs the folder. A crash leaves either the earlier file or the whole new one. */
function putInPlace(part: string, file: string): void {
  syncPath(part, 'r+');
  renameSync(part, file);
  syncPath(dirname(file), 'r');
}

function syncPath(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What a copy of the database does not contain, although an installation needs it: the secret and the queues of the outbox. */
function alsoNeeded({ secret: { source }, outboxFile, database }: Settings): readonly string[] {
  const secret = source.kind === 'file' ? [`the secret, in ${source.path}`] : ['the value of SECRET'];
  const outbox = outboxFile ?? (database.kind === 'sqlite' ? `${database.path}-outbox` : null);
  const queues = outbox === null ? [] : [`queued settlements, in ${outbox}, if it is not empty`, `queued replies, in ${outbox}-replies, if it is not empty`];
  return [...secret, ...queues];
}

function backupReport(settings: Settings, file: string, { verdict, seconds }: { readonly verdict: Verdict; readonly seconds: number }): Report {
  const also = alsoNeeded(settings);
  return {
    json: { outcome: 'backed-up', file, seconds: Number(seconds.toFixed(1)), accounts: verdict.accounts, entries: verdict.entries, audit_entries: verdict.auditEntries, also_copy: [...also] },
    lines: [
      `The backup is ${file}, made in ${seconds.toFixed(1)} s and verified: ${contentsOf(verdict)}.`,
      'Copy these as well, and store the secret elsewhere:',
      ...also.map((line) => `  ${line}`),
    ],
  };
}

function contentsOf({ accounts, entries, auditEntries }: Verdict): string {
  return `${accounts} accounts, ${entries} ledger entries, ${auditEntries} audit entries`;
}

async function verify(location: DatabaseLocation): Promise<Verdict> {
  const reader = await databases.openReader(location);
  try {
    return await verdictOf(reader);
  } finally {
    await reader.close();
  }
}

async function verdictOf(reader: StoreReader): Promise<Verdict> {
  const damage = await reader.damage();
  if (damage.length > 0) return { accounts: 0, entries: 0, auditEntries: 0, problems: [`the file is damaged (${damage[0] ?? ''})`] };
  const { accounts, entries, differences } = await reader.ledgerAudit.verify();
  const { entries: auditEntries, fault, firstBrokenEntry } = await reader.auditTrail.verifyAuditTrail();
  return {
    accounts, entries, auditEntries,
    problems: [
      ...(differences.length === 0 ? [] : [`the ledger has ${differences.length} differences`]),
      ...(fault === null ? [] : [`the audit log is broken at entry ${firstBrokenEntry ?? 0} (${fault})`]),
    ],
  };
}

const URL_OF_POSTGRES = /^postgres(?:ql)?:\/\//;

/** The backup that the argument names; by default, the database of the settings. */
function backupNamed(programContext: ProgramContext, named: string | undefined): DatabaseLocation {
  if (named === undefined) return settingsOf(programContext).settings.database;
  return URL_OF_POSTGRES.test(named) ? { kind: 'postgres', url: named } : { kind: 'sqlite', path: resolve(programContext.folder, named) };
}

/** Verifies pages, schema, books and audit log, without writing. */
export async function checkBackup(programContext: ProgramContext, named: string | undefined, progress: (text: string) => void): Promise<Report> {
  const location = backupNamed(programContext, named);
  const place = databaseLocationName(location);
  progress(`Verifying ${place} …`);
  const verdict = await verifyOrExplain(location);
  const isWhole = verdict.problems.length === 0;
  return {
    json: { database: place, outcome: isWhole ? 'sound' : 'unsound', problems: [...verdict.problems], accounts: verdict.accounts, entries: verdict.entries, audit_entries: verdict.auditEntries },
    lines: isWhole
      ? [`${place} is sound: ${contentsOf(verdict)}; its schema is that of this version.`]
      : [`${place} must NOT be restored:`, ...verdict.problems.map((line) => `  ${printable(line)}`)],
    exitCode: isWhole ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

/** A database that cannot be opened is a finding of the check, not an error of the command. */
async function verifyOrExplain(location: DatabaseLocation): Promise<Verdict> {
  try {
    return await verify(location);
  } catch (thrown) {
    const isFinding = [DatabaseUnavailableError, MissingDatabaseError, UnusableSchemaError].some((kind) => thrown instanceof kind)
      || (thrown as { readonly name?: string }).name === 'SqliteError';
    if (!isFinding) throw thrown;
    return { accounts: 0, entries: 0, auditEntries: 0, problems: [(thrown as Error).message] };
  }
}

/**
 * Suffixes of the files that a restore renames. The database itself is last, so that an interrupted restore never leaves a restored file beside an
 * old log. The outbox is not among them, because the next gateway books its settlements.
 */
const MOVED_ASIDE = ['-wal', '-shm', '-journal', '-outbox-seen', ''];
const COMPANIONS = [...MOVED_ASIDE, '-outbox', '-outbox-replies'];

/** Verifies the backup, renames the files of the database and puts the backup in their place. Fails while a gateway uses the database. */
export async function restoreBackup(programContext: ProgramContext, named: string | undefined, options: CopyOptions): Promise<Report> {
  if (named === undefined || URL_OF_POSTGRES.test(named)) throw misuse('name the file of the backup; a database on PostgreSQL is restored by PostgreSQL\'s own tools; `database restore URL --check` then verifies it');
  const { settings } = settingsOf(programContext);
  const [file, backup] = [fileOf(settings.database, 'are restored'), resolve(programContext.folder, named)];
  if (isOneOf(backup, [file])) throw misuse('the backup is the database itself');
  const exists = MOVED_ASIDE.some((ending) => existsSync(`${file}${ending}`));
  if (exists && !options.force) throw new CommandFailure(`${file}, or a file that belongs to it, already exists; --force renames these files`);
  const checked = await checkBackup(programContext, named, options.progress);
  if (checked.exitCode !== EXIT_CODES.done) return checked;
  const part = `${file}.restoring`;
  const lock = existsSync(file) ? await (await databases.files()).lockDatabaseFile(file) : null;
  try {
    rmSync(part, { force: true });
    options.progress('Copying …');
    await copyWhole(backup, part);
    const aside = exists ? moveAside(file) : null;
    putInPlace(part, file);
    return restoredReport(file, aside);
  } finally {
    rmSync(part, { force: true });
    await lock?.release();
  }
}

/** Copies the backup, including what is still in its write-ahead log. */
async function copyWhole(backup: string, part: string): Promise<void> {
  const log = statSync(`${backup}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) copyPrivately(backup, part);
  else await (await databases.files()).copyDatabase(backup, part, () => undefined);
}

function copyPrivately(from: string, to: string): void {
  const mask = process.umask(OWNER_ONLY_UMASK);
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } finally {
    process.umask(mask);
  }
}

/** Renames the database and the files that belong to it; returns the new name of the database. */
function moveAside(file: string): string {
  const aside = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const ending of MOVED_ASIDE.filter((candidate) => existsSync(`${file}${candidate}`))) renameSync(`${file}${ending}`, `${aside}${ending}`);
  return aside;
}

function restoredReport(file: string, aside: string | null): Report {
  return {
    json: { outcome: 'restored', database: file, earlier: aside },
    lines: [
      `The backup is in ${file}.`,
      ...(aside === null ? [] : [`The earlier database is in ${aside}.`]),
      'Start the gateway with the secret that belongs to it. Keys that were revoked after the backup work again: revoke them.',
    ],
  };
}
