import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { databasePlaceName, IN_MEMORY } from '@tollgate/sql-common';
import type { Command } from 'commander';
import { CommandFailure, misuse, type Report } from '../program/report.js';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import { openDatabase, type OperatorSession, settingsOf, type Surroundings } from '../program/operator-session.js';

/** The migration that only an empty database needs. */
const FIRST_STEP = '0001-initial';

export function addDatabaseCommands(program: Command, runtime: CommandRuntime): void {
  const database = program.command('database').description('the database itself');
  database.command('create').description('create the database of DATABASE_URL, as the first start of the gateway does; keeps the data of an existing one')
    .action(async (_options: unknown, command: Command) => runtime.report(command, await createDatabase(runtime.surroundings)));
  database.command('forget-secret').description('let the next start of the gateway record a new secret, if the one of this database is lost')
    .option(...YES_OPTION)
    .action(async (_options: unknown, command: Command) => {
      await runtime.confirm(command, 'Everything that was written with the lost secret becomes unreadable: sessions, links sent by mail, second factors, kept reasoning.');
      await runtime.perform(command, forgetSecret);
    });
}

async function forgetSecret(session: OperatorSession): Promise<Report> {
  if (!await session.store.installation.forget(session.act())) throw new CommandFailure('this database belongs to no secret yet');
  return { json: { outcome: 'forgotten' }, lines: ['The secret is forgotten. The next gateway that starts records its own.'] };
}

/** The only command that creates a database. */
async function createDatabase(surroundings: Surroundings): Promise<Report> {
  const { settings } = settingsOf(surroundings);
  const { database } = settings;
  if (database.kind === 'sqlite' && database.path === IN_MEMORY) throw misuse('DATABASE_URL names a database in memory, which lives and ends with its gateway');
  const steps: string[] = [];
  const store = await openDatabase(settings, {
    clock: new SystemClock(), processId: new RandomIds().processId(), whenMissing: 'make', onMigrated: (step) => steps.push(step),
  });
  await store.close();
  const place = databasePlaceName(database);
  return steps.includes(FIRST_STEP)
    ? { json: { database: place, outcome: 'created' }, lines: [`The database is created in ${place}.`] }
    : { json: { database: place, outcome: 'existing' }, lines: [`There is a database in ${place} already; its data is kept.`] };
}
