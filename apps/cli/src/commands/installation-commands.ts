import { resolve } from 'node:path';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { databaseLocationName, IN_MEMORY, INITIAL_STEP, type InspectedDatabase } from '@tollgate/sql-common';
import type { Command } from 'commander';
import { openMailTransport } from '@tollgate/adapters-mail';
import type { Catalogue } from '@tollgate/core';
import { type MailOutcome, testMessage } from '@tollgate/identity';
import { describeProblem, openCatalogueFile, readSettings, unknownNamesIn, withEnvironmentFile } from '@tollgate/adapters-config';
import { CommandFailure, EXIT_CODES, misuse, type Report, shortened, table } from '../program/terminal.js';
import {
  askUpstream, catalogueOf, type CommandRuntime, databases, openDatabase, type OperatorSession, settingsOf, type Surroundings, YES_OPTION,
} from '../program/command-runtime.js';
import { backUpDatabase, checkBackup, restoreBackup } from './database-copies.js';
import { mailAddressValue } from '../program/option-values.js';
import type { SurveyListener } from './upstream-commands.js';
import {
  catalogueAndUpstreamChecks, type Check, clockCheck, databaseCheck, historyCheck, mailCheck, ok, problem, proxyCheck, redisCheck,
  secretCheck, type UpstreamCheckOptions, warning,
} from './doctor-checks.js';
import { fileChecks } from './doctor-file-checks.js';
import { encodeModel, encodePlan } from '../program/encode-resources.js';

export function addDatabaseCommands(program: Command, runtime: CommandRuntime): void {
  const database = program.command('database').description('the database and its secret');
  database.command('create').description('create the database of DATABASE_URL, as the first start of the gateway does; keeps the data of an existing one')
    .action(async (_options: unknown, command: Command) => runtime.report(command, await createDatabase(runtime.surroundings)));
  database.command('forget-secret').description('let the next start of the gateway record a new secret, if the one of this database is lost')
    .option(...YES_OPTION)
    .action(async (_options: unknown, command: Command) => {
      await runtime.confirm(command, 'Everything that was written with the lost secret becomes unreadable: sessions, links sent by mail, second factors, sealed reasoning.');
      await runtime.perform(command, forgetSecret);
    });
  addCopyCommands(database, runtime);
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
  const place = databaseLocationName(database);
  return steps.includes(INITIAL_STEP)
    ? { json: { database: place, outcome: 'created' }, lines: [`The database is created in ${place}.`] }
    : { json: { database: place, outcome: 'existing' }, lines: [`There is a database in ${place} already; its data is kept.`] };
}

function addCopyCommands(database: Command, runtime: CommandRuntime): void {
  database.command('backup').description('copy the database file of DATABASE_URL and verify the copy; the gateway may be serving')
    .argument('<file>', 'the copy, which only its owner may read').option('--force', 'replace an existing file')
    .action(async (file: string, { force }: { readonly force?: true }, command: Command) => {
      runtime.report(command, await backUpDatabase(runtime.surroundings, file, { force: force === true, progress: runtime.longProgressOf(command) }));
    });
  database.command('restore').description('verify a backup and, without --check, put it in the place of the database of DATABASE_URL, which no gateway may be using')
    .argument('[backup]', 'its file, or with --check the URL of a restored database; with --check the database of DATABASE_URL unless given')
    .option('--check', 'verify only: pages, schema, books, audit trail; exit code 1 if it must not be restored').option('--force', 'move an existing database aside')
    .action(async (backup: string | undefined, { check, force }: { readonly check?: true; readonly force?: true }, command: Command) => {
      const progress = runtime.longProgressOf(command);
      runtime.report(command, check === true
        ? await checkBackup(runtime.surroundings, backup, progress)
        : await restoreBackup(runtime.surroundings, backup, { force: force === true, progress }));
    });
}

export function addMailCommands(program: Command, runtime: CommandRuntime): void {
  program.command('mail').description('mail')
    .command('test').description('send one message now with the mail settings and print the response of its server; needs no database')
    .requiredOption('--to <address>', 'the recipient', mailAddressValue)
    .action(async ({ to }: { readonly to: string }, command: Command) => runtime.report(command, await sendTestMail(runtime.surroundings, to)));
}


async function sendTestMail(surroundings: Surroundings, to: string): Promise<Report> {
  const { settings: { mail } } = settingsOf(surroundings);
  const transport = await openMailTransport(mail);
  try {
    return deliveryReport(await transport.deliver({ ...testMessage(), to, id: new RandomIds().mailId(), storedAt: new SystemClock().now() }), mail.kind);
  } finally {
    await transport.close();
  }
}

function deliveryReport(result: MailOutcome, kind: 'smtp' | 'folder'): Report {
  if (result.outcome !== 'delivered') {
    const { code, explanation } = result.failure;
    throw new CommandFailure(`the message was not delivered (${code}): ${explanation}`);
  }
  const { place } = result;
  const line = kind === 'smtp'
    ? `${place} accepted the message. Only its recipient can tell whether it arrives.`
    : `The message is written to ${place}, since SMTP_HOST is not set.`;
  return { json: { outcome: 'delivered', kind, place }, lines: [line] };
}

export function addDoctorCommand(program: Command, runtime: CommandRuntime): void {
  program.command('doctor').description('check everything that the gateway needs and report what to fix; changes nothing')
    .option('--requests', 'also send each upstream one real request, which its provider may charge')
    .action(async ({ requests }: { requests?: true }, command: Command) => {
      const options: UpstreamCheckOptions = { requests: requests === true ? 'sent' : 'not-sent' };
      runtime.report(command, reportOf(await examine(runtime.surroundings, options, runtime.progressOf(command))));
    });
}

/** Without valid settings nothing else can be checked. */
async function examine(surroundings: Surroundings, options: UpstreamCheckOptions, progress: SurveyListener): Promise<readonly Check[]> {
  const settingsChecks = checkSettings(surroundings);
  if (settingsChecks.some(({ state }) => state === 'problem')) return settingsChecks;
  const { settings } = settingsOf(surroundings);
  progress('Asking the database …');
  const database = await databases.inspect(settings.database, new SystemClock());
  const inspected = database.outcome === 'inspected' ? database : null;
  return [
    ...settingsChecks,
    databaseCheck(settings.database, database),
    secretCheck(settings.secret, database.outcome === 'unavailable' ? { state: 'unread' } : { state: 'read', fingerprint: inspected?.fingerprint ?? null }),
    ...(inspected === null ? [] : [clockCheck(inspected.clockAheadMilliseconds)]),
    ...await historyChecks(surroundings, inspected),
    ...fileChecks(settings, surroundings.folder),
    proxyCheck(settings),
    await redisCheck(settings.redis),
    await mailCheck(settings),
    ...await catalogueAndUpstreamChecks(surroundings, options, progress),
  ];
}

/** Nothing can be compared with a schema of another version. */
async function historyChecks({ folder, ...surroundings }: Surroundings, inspected: InspectedDatabase | null): Promise<readonly Check[]> {
  if (inspected === null || inspected.pendingSteps.length > 0 || inspected.unknownSteps.length > 0) return [];
  const { settings } = settingsOf({ folder, ...surroundings });
  const check = await historyCheck(settings, folder, () => databases.openReader(settings.database));
  return check === null ? [] : [check];
}

function checkSettings({ environment, folder }: Surroundings): readonly Check[] {
  const reading = readSettings(withEnvironmentFile(environment, folder));
  if ('problems' in reading) return reading.problems.map((line) => problem('settings', line));
  const unknown = unknownNamesIn(folder, environment);
  return unknown.length === 0 ? [ok('settings', 'every value can be used')] : unknown.map((line) => warning('settings', line));
}

function reportOf(checks: readonly Check[]): Report {
  return {
    json: { checks: checks.map(({ name, state, finding }) => ({ name, state, finding })) },
    lines: table(['STATE', 'CHECK', 'FINDING'], checks.map(({ name, state, finding }) => [state, name, finding])),
    exitCode: checks.some(({ state }) => state === 'problem') ? EXIT_CODES.failed : EXIT_CODES.done,
  };
}

export function addCatalogueCommands(program: Command, runtime: CommandRuntime): void {
  program.command('catalog').description('catalogue files')
    .command('check').description('report every mistake in a catalogue file; changes nothing').argument('<file>', 'its path')
    .action(async (file: string, _options: unknown, command: Command) => runtime.report(command, await checkCatalogue(runtime.surroundings, file)));
  program.command('models').description('models on offer')
    .command('list').description('the models of the catalogue, or those that UPSTREAM_BASE_URL lists')
    .action(async (_options: unknown, command: Command) => {
      const source = await catalogueOf(runtime.surroundings, askUpstream);
      runtime.report(command, modelsReport(source.current()));
    });
  program.command('plans').description('plans')
    .command('list').description('the plans of the catalogue with their limits')
    .action(async (_options: unknown, command: Command) => {
      const source = await catalogueOf(runtime.surroundings, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
      runtime.report(command, plansReport(source.current()));
    });
}

function modelsReport(catalogue: Catalogue): Report {
  const { models } = catalogue;
  return {
    json: { models: models.map((model) => encodeModel(model, catalogue)) },
    lines: table(['MODEL', 'ALIASES', 'WINDOW', 'MAX OUTPUT', 'REASONING', 'PROMPT', 'OUTPUT', 'UPSTREAMS', 'FALLBACKS'], models.map((model) => [
      model.simulated ? `${model.slug} (simulated)` : model.slug, model.aliases.join(' '), model.contextWindowTokens, model.maxOutputTokens,
      model.reasoning ? 'yes' : 'no', model.price.promptToken, model.price.outputToken,
      model.targets.map(({ upstreamId }) => upstreamId).join(' '), model.fallbacks.join(' '),
    ])),
  };
}

function plansReport({ plans }: Catalogue): Report {
  return {
    json: { plans: plans.map(encodePlan) },
    lines: table(['PLAN', 'NAME', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'MAX CONTEXT', 'KEYS', 'TOKENS/DAY', 'TOKENS/MONTH', 'EXCLUDED'],
      plans.map(({ id, name, limits, excludedModels }) => [
        id, shortened(name), limits.requestsPerMinute, limits.tokensPerMinute, limits.concurrentRequests, limits.maxContextTokens, limits.activeKeys,
        limits.tokensPerDay ?? 'none', limits.tokensPerMonth ?? 'none', [...excludedModels].join(' '),
      ])),
  };
}

/** Parses a catalogue file as the gateway does, without using it. */
async function checkCatalogue(surroundings: Surroundings, file: string): Promise<Report> {
  const { settings: { timeouts }, environment } = settingsOf(surroundings);
  const opening = await openCatalogueFile(resolve(surroundings.folder, file), { environment, timeouts });
  if ('problems' in opening) {
    return {
      json: { file, valid: false, problems: opening.problems.map(({ line, path, message }) => ({ line, path, message })) },
      lines: opening.problems.map((mistake) => describeProblem(file, mistake)),
      exitCode: EXIT_CODES.failed,
    };
  }
  const { models, plans } = opening.file.current();
  const counts = { upstreams: opening.file.upstreams.length, models: models.length, plans: plans.length };
  return {
    json: { file, valid: true, problems: [], ...counts },
    lines: [`${file} has no mistakes. Upstreams: ${counts.upstreams}, models: ${counts.models}, plans: ${counts.plans}.`],
  };
}
