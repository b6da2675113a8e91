import { hasExpired, type Maintenance, maintenanceProblem, maintenanceStateAt, operatorTextProblem, rfc3339 } from '@tollgate/core';
import { encodeBlock, encodeMaintenance, encodeRecordedLimit } from '@tollgate/wire-kit';
import { Argument, type Command } from 'commander';
import { list, type Report, table, time } from '../program/report.js';
import { misuse } from '../program/command-failure.js';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { countValue, endTimeValue, type TimeValue, timeValue } from '../program/option-values.js';
import { allBlocks, block, BLOCK_EXPIRES_OPTION, BLOCK_REASON_OPTION, type BlockOptions, blockTable, listBlocks, unblock } from './blocks.js';
import { clearLimit, limitModel, type LimitOptions } from './incident-limits.js';

export function addPlatformCommands(program: Command, runtime: CommandRuntime): void {
  const platform = program.command('platform').description('maintenance, blocked networks, limits during incidents');
  platform.command('status').description('show maintenance, blocks and incident limits')
    .action((_options: unknown, command: Command) => runtime.perform(command, platformStatus));
  platform.command('maintenance').description('refuse all requests with 503, or stop refusing them')
    .addArgument(new Argument('<state>', 'on refuses all requests, off stops it').choices(['on', 'off']))
    .option('--from <when>', 'when it begins: a day, a time, or a span from now such as 2h (default: now)', timeValue)
    .option('--until <when>', 'when it ends: a day (its end, in UTC), a time or a span; clients are told (default: when you switch it off)', endTimeValue)
    .option('--message <text>', 'a message to clients and owners')
    .option(...YES_OPTION)
    .action(async (state: 'on' | 'off', options: MaintenanceOptions, command: Command) => {
      if (state === 'on') await runtime.confirm(command, consequencesOf(options));
      await runtime.perform(command, (session) => (state === 'on' ? startMaintenance(session, options) : endMaintenance(session)));
    });
  addNetworkCommands(platform, runtime);
  addLimitCommands(platform, runtime);
}

function consequencesOf({ from, until }: MaintenanceOptions): string {
  const end = until === undefined ? 'until maintenance is off' : 'until its end';
  return `Every request of every account is refused ${from === undefined ? '' : 'from its start '}${end}.`;
}

const NETWORK_ARGUMENT = ['<network>', 'an address or a CIDR range: 192.0.2.0/24, 2001:db8::/32'] as const;

function addNetworkCommands(platform: Command, runtime: CommandRuntime): void {
  platform.command('block-network').description('refuse requests from a network').argument(...NETWORK_ARGUMENT)
    .option(...BLOCK_REASON_OPTION).option(...BLOCK_EXPIRES_OPTION)
    .action((network: string, options: BlockOptions, command: Command) =>
      runtime.perform(command, (session) => block(session, { kind: 'network', subject: network }, options)));
  platform.command('unblock-network').description('end the block of a network').argument(...NETWORK_ARGUMENT)
    .action((network: string, _options: unknown, command: Command) => runtime.perform(command, (session) => unblock(session, { kind: 'network', subject: network })));
  platform.command('blocks').description('all blocked accounts, keys and networks, newest first')
    .action((_options: unknown, command: Command) => runtime.perform(command, listBlocks));
}

const MODEL_ARGUMENT = ['<model>', 'a model of `tollgate models list`, or an alias of one'] as const;

function addLimitCommands(platform: Command, runtime: CommandRuntime): void {
  platform.command('limit-model').description('limit each account\'s requests to one model, in addition to its plan').argument(...MODEL_ARGUMENT)
    .option('--requests-per-minute <number>', 'maximum requests of an account in a minute', countValue)
    .option('--tokens-per-minute <number>', 'maximum tokens of an account in a minute', countValue)
    .option('--concurrent-requests <number>', 'maximum concurrent requests of an account', countValue)
    .option('--expires <when>', 'when it expires: a day (its end, in UTC), a time, or a span from now such as 45s or 30m', endTimeValue)
    .action((model: string, options: LimitOptions, command: Command) => runtime.perform(command, (session) => limitModel(session, model, options)));
  platform.command('clear-limit').description('end the limit of a model').argument(...MODEL_ARGUMENT)
    .action((model: string, _options: unknown, command: Command) => runtime.perform(command, (session) => clearLimit(session, model)));
}

interface MaintenanceOptions {
  readonly from?: TimeValue;
  readonly until?: TimeValue;
  readonly message?: string;
}

/** Sets maintenance, now or for later. Replaces an earlier setting. */
async function startMaintenance(session: OperatorSession, options: MaintenanceOptions): Promise<Report> {
  const maintenance = maintenanceOf(options, session);
  await session.store.controls.setMaintenance(maintenance, session.act());
  return maintenanceReport(session, maintenanceLine(maintenance, session));
}

async function endMaintenance(session: OperatorSession): Promise<Report> {
  await session.store.controls.setMaintenance(null, session.act());
  return maintenanceReport(session, 'Maintenance is off.');
}

function maintenanceOf({ from, until, message }: MaintenanceOptions, { clock }: OperatorSession): Maintenance {
  const now = clock.now();
  const textFlaw = message === undefined ? null : operatorTextProblem(message);
  if (textFlaw !== null) throw misuse(`option '--message <text>' ${textFlaw.message}`);
  const maintenance = { startsAt: from?.(now) ?? now, endsAt: until?.(now) ?? null, message: message ?? null };
  const flaw = maintenanceProblem(maintenance, now);
  if (flaw !== null) throw misuse(`option '--until <when>': ${flaw.message}`);
  return maintenance;
}

/** For example `Maintenance is planned from … until ….` */
function maintenanceLine(maintenance: Maintenance | null, { clock }: OperatorSession): string {
  const state = maintenanceStateAt(maintenance, clock.now());
  if (maintenance === null || state === 'off') return 'Maintenance is off.';
  const end = maintenance.endsAt === null ? '' : ` until ${rfc3339(maintenance.endsAt)}`;
  const start = state === 'planned' ? ` from ${rfc3339(maintenance.startsAt)}` : '';
  return `Maintenance is ${state}${start}${end}.`;
}

function maintenanceReport({ store, clock }: OperatorSession, line: string): Report {
  return { json: { maintenance: encodeMaintenance(store.platform.current().maintenance, clock.now()) }, lines: [line] };
}

async function platformStatus(session: OperatorSession): Promise<Report> {
  const { store, clock } = session;
  const { maintenance } = store.platform.current();
  const now = clock.now();
  const limits = (await store.controls.listIncidentLimits()).filter((limit) => !hasExpired(limit, now));
  const blocks = await allBlocks(session);
  return {
    json: { maintenance: encodeMaintenance(maintenance, now), blocks: blocks.map(encodeBlock), incident_limits: limits.map(encodeRecordedLimit) },
    lines: [
      maintenanceLine(maintenance, session),
      ...(maintenance?.message === undefined || maintenance.message === null ? [] : [`  ${maintenance.message}`]),
      ...list({ Blocked: blocks.length, 'Limited models': limits.length }),
      ...(blocks.length === 0 ? [] : ['', ...blockTable(blocks)]),
      ...(limits.length === 0 ? [] : ['', ...table(['MODEL', 'REQUESTS/MIN', 'TOKENS/MIN', 'CONCURRENT', 'UNTIL', 'BY'], limits.map((limit) =>
        [limit.model, limit.requestsPerMinute, limit.tokensPerMinute, limit.concurrentRequests, time(limit.expiresAt), limit.setBy]))]),
    ],
  };
}
