import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { databaseLocationName, IN_MEMORY, INITIAL_STEP } from '@tollgate/sql-common';
import type { Command } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import { IN_MEMORY_ONLY, openDatabase } from '../program/open-database.js';
import type { OperatorSession } from '../program/operator-session.js';
import { type ProgramContext, settingsOf } from '../program/program-settings.js';
import { CommandFailure, misuse } from '../program/command-failure.js';
import type { Report } from '../program/report.js';
import { backUpDatabase, checkBackup, restoreBackup } from './database-copies.js';

export function addDatabaseCommands(program: Command, runtime: CommandRuntime): void {
  const database = program.command('database').description('the database and its secret');
  database.command('create').description('create the database of DATABASE_URL, as the first start of the gateway does; keeps the data of an existing one')
    .action(async (_options: unknown, command: Command) => runtime.report(command, await createDatabase(runtime.programContext)));
  database.command('forget-secret').description('let the next start of the gateway record a new secret, if the one of this database is lost')
    .option(...YES_OPTION)
    .action(async (_options: unknown, command: Command) => {
      await runtime.confirm(command, 'What was made with the lost secret becomes useless: second factors, secrets of webhooks, sealed reasoning, known browsers, and the record of which mailboxes had a sign-up credit or a voucher.');
      await runtime.perform(command, forgetSecret);
    });
  addCopyCommands(database, runtime);
}

async function forgetSecret(session: OperatorSession): Promise<Report> {
  if (!await session.store.installation.forget(session.act())) throw new CommandFailure('no secret is recorded in this database, so there is none to forget');
  return { json: { outcome: 'forgotten' }, lines: ['The secret is forgotten. The next gateway that starts records its own.'] };
}

/** The only command that creates a database. */
async function createDatabase(programContext: ProgramContext): Promise<Report> {
  const { settings } = settingsOf(programContext);
  const { database } = settings;
  if (database.kind === 'sqlite' && database.path === IN_MEMORY) throw misuse(IN_MEMORY_ONLY);
  const steps: string[] = [];
  const store = await openDatabase(settings, {
    clock: new SystemClock(), processId: new RandomIds().processId(), whenMissing: 'make', onMigrated: (step) => steps.push(step),
  });
  await store.close();
  const place = databaseLocationName(database);
  return steps.includes(INITIAL_STEP)
    ? { json: { database: place, outcome: 'created' }, lines: [`The database is created in ${place}.`] }
    : { json: { database: place, outcome: 'existing' }, lines: [`A database already exists in ${place}; its data is kept.`] };
}

function addCopyCommands(database: Command, runtime: CommandRuntime): void {
  database.command('backup').description('copy the database file of DATABASE_URL and verify the copy; the gateway may be serving')
    .argument('<file>', 'the copy, which only its owner may read').option('--force', 'replace an existing file')
    .action(async (file: string, { force }: { readonly force?: true }, command: Command) => {
      runtime.report(command, await backUpDatabase(runtime.programContext, file, { force: force === true, progress: runtime.longProgressOf(command) }));
    });
  database.command('restore').description('verify a backup and, without --check, replace the database of DATABASE_URL with it; refused while a gateway uses that database')
    .argument('[backup]', 'its file, or with --check the URL of a restored database; with --check the database of DATABASE_URL unless given')
    .option('--check', 'verify only: pages, schema, ledger, audit log; exit code 1 if it must not be restored').option('--force', 'move an existing database aside')
    .action(async (backup: string | undefined, { check, force }: { readonly check?: true; readonly force?: true }, command: Command) => {
      const progress = runtime.longProgressOf(command);
      runtime.report(command, check === true
        ? await checkBackup(runtime.programContext, backup, progress)
        : await restoreBackup(runtime.programContext, backup, { force: force === true, progress }));
    });
}
