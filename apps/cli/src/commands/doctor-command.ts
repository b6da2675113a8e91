import { openCatalogue, readSettings, type Settings, unknownNamesIn, withEnvironmentFile } from '@tollgate/adapters-config';
import { SystemClock } from '@tollgate/adapters-node';
import { type CreditOffer, printable } from '@tollgate/core';
import { type InspectedDatabase, isCurrent } from '@tollgate/sql-common';
import type { Command } from 'commander';
import type { CommandRuntime } from '../program/command-runtime.js';
import { databases } from '../program/open-database.js';
import { type ProgramContext, settingsOf } from '../program/program-settings.js';
import { EXIT_CODES } from '../program/exit-codes.js';
import type { Report } from '../program/report.js';
import { tableLines } from '../program/table-lines.js';
import {
  catalogueAndUpstreamChecks, type Check, clockCheck, databaseCheck, historyCheck, mailCheck, ok, operatorCheck, problem, proxyCheck, redisCheck, secretCheck,
  type UpstreamCheckOptions, warning,
} from './doctor-checks.js';
import { paymentChecks } from './doctor-payment-checks.js';
import { fileChecks } from './doctor-file-checks.js';
import type { SurveyListener } from './survey-upstreams.js';

export function addDoctorCommand(program: Command, runtime: CommandRuntime): void {
  program.command('doctor').description('check everything that the gateway needs and report what to fix; changes nothing')
    .option('--requests', 'also send each upstream one real request, which its provider may charge')
    .action(async ({ requests }: { requests?: true }, command: Command) => {
      const options: UpstreamCheckOptions = { requests: requests === true ? 'sent' : 'not-sent' };
      runtime.report(command, reportOf(await examine(runtime.programContext, options, runtime.progressOf(command))));
    });
}

/** Runs all checks, or only those of the settings if one of these finds a problem. */
async function examine(programContext: ProgramContext, options: UpstreamCheckOptions, progress: SurveyListener): Promise<readonly Check[]> {
  const settingsChecks = checkSettings(programContext);
  if (settingsChecks.some(({ state }) => state === 'problem')) return settingsChecks;
  const { settings } = settingsOf(programContext);
  progress('Asking the database …');
  const database = await databases.inspect(settings.database, new SystemClock());
  const inspected = database.outcome === 'inspected' ? database : null;
  return [
    ...settingsChecks,
    databaseCheck(settings.database, database),
    secretCheck(settings.secret, database.outcome === 'unavailable' ? { state: 'unread' } : { state: 'read', fingerprint: inspected?.fingerprint ?? null }),
    ...(inspected === null ? [] : [clockCheck(inspected.clockAheadMilliseconds)]),
    ...(inspected?.hasOperator === false ? [operatorCheck()] : []),
    ...await historyChecks(programContext, inspected),
    ...fileChecks(settings, programContext.folder),
    proxyCheck(settings),
    await redisCheck(settings.redis),
    await mailCheck(settings),
    ...await paymentChecks({ settings, publicUrl: publicUrlOf(settings), offer: await offerOf(programContext) }),
    ...await catalogueAndUpstreamChecks(programContext, options, progress),
  ];
}

/** The credit that the catalogue sells; `null` if the catalogue is not valid. */
async function offerOf(programContext: ProgramContext): Promise<CreditOffer | null> {
  const { settings, environment } = settingsOf(programContext);
  const opening = await openCatalogue(settings, environment, ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] }));
  return 'problems' in opening ? null : opening.opened.source.current().creditOffer;
}

function publicUrlOf({ port, dashboard: { publicUrl } }: Settings): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** The check of the history. Empty if the database could not be inspected or has the schema of another version. */
async function historyChecks({ folder, ...programContext }: ProgramContext, inspected: InspectedDatabase | null): Promise<readonly Check[]> {
  if (inspected === null || !isCurrent(inspected)) return [];
  const { settings } = settingsOf({ folder, ...programContext });
  const check = await historyCheck(settings, folder, () => databases.openReader(settings.database));
  return check === null ? [] : [check];
}

function checkSettings({ environment, folder }: ProgramContext): readonly Check[] {
  const reading = readSettings(withEnvironmentFile(environment, folder));
  if ('problems' in reading) return reading.problems.map((line) => problem('settings', line));
  const unknown = unknownNamesIn(folder, environment);
  return unknown.length === 0 ? [ok('settings', 'every value is valid')] : unknown.map((line) => warning('settings', line));
}

function reportOf(checks: readonly Check[]): Report {
  return {
    json: { checks: checks.map(({ name, state, finding }) => ({ name, state, finding })) },
    // Findings say what to do, so they are not cut.
    lines: tableLines({ headings: ['STATE', 'CHECK', 'FINDING'], rows: checks.map(({ name, state, finding }) => [state, name, finding].map(printable)), whole: new Set() }, null),
    exitCode: checks.some(({ state }) => state === 'problem') ? EXIT_CODES.failed : EXIT_CODES.done,
  };
}
