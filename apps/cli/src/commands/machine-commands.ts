import { type Instant, MACHINE_SCOPES, type MachineId, type MachineScope, MILLISECONDS_PER_HOUR, parseNetwork, rfc3339 } from '@tollgate/core';
import { type IssuedMachine, type Machine, machineState, MAX_MACHINES } from '@tollgate/identity';
import { encodeMachine } from '@tollgate/wire-kit';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { endTimeValue, nameValue, type TimeValue } from '../program/option-values.js';
import { asMisuse, CommandFailure } from '../program/command-failure.js';
import { type Report, shortened, table, time } from '../program/report.js';

const MACHINE_ARGUMENT = ['<machine>', 'its id (mach_…)'] as const;
const EXPIRES_OPTION = ['--expires <when>', 'when its secret expires, within 365 days: a day (its end, in UTC), a time, or a span from now such as 30d (default: 90d)', endTimeValue] as const;

interface CreateOptions { readonly scopes: readonly MachineScope[]; readonly networks?: readonly string[]; readonly expires?: TimeValue }
interface RotateOptions { readonly overlap: number; readonly expires?: TimeValue }

type CreateAction = [name: string, options: CreateOptions, command: Command];
type RotateAction = [machine: string, options: RotateOptions, command: Command];
type MachineAction = [machine: string, options: unknown, command: Command];

export function addMachineCommands(program: Command, runtime: CommandRuntime): void {
  const machines = program.command('machines').description('credentials with which your own programs use /admin/v1');
  machines.command('create').description('create a machine; its secret is shown once')
    .argument('<name>', 'a name to tell it from other machines', nameValue)
    .requiredOption('--scopes <list>', `what it may do, separated by commas: ${MACHINE_SCOPES.join(', ')} (keys:write only with ADMIN_KEYS=on)`, scopesValue)
    .option('--networks <list>', 'addresses and CIDR ranges that it may call from, separated by commas (default: all)', networksValue)
    .option(...EXPIRES_OPTION)
    .action((...[name, options, command]: CreateAction) => runtime.perform(command, (session) => createMachine(session, name, options)));
  machines.command('list').description('all machines, newest first, revoked ones included')
    .action((_options: unknown, command: Command) => runtime.perform(command, listMachines));
  machines.command('rotate').description('replace the secret of a machine; the new one is shown once').argument(...MACHINE_ARGUMENT)
    .option('--overlap <hours>', 'for how long the replaced secret stays valid, from 0 to 24 hours', overlapValue, 24)
    .option(...EXPIRES_OPTION).option(...YES_OPTION)
    .action(async (...[machine, options, command]: RotateAction) => {
      await runtime.confirm(command, `The present secret of ${machine} stops working ${options.overlap === 0 ? 'immediately' : `after ${options.overlap} hours`}.`);
      await runtime.perform(command, (session) => rotateMachine(session, machine, options));
    });
  machines.command('revoke').description('revoke a machine permanently').argument(...MACHINE_ARGUMENT).option(...YES_OPTION)
    .action(async (...[machine, , command]: MachineAction) => {
      await runtime.confirm(command, `Machine ${machine} stops working immediately and permanently.`);
      await runtime.perform(command, (session) => revokeMachine(session, machine));
    });
}

function partsOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

function scopesValue(text: string): readonly MachineScope[] {
  const names = partsOf(text);
  const scopes = MACHINE_SCOPES.filter((scope) => names.includes(scope));
  if (scopes.length === 0 || names.some((name) => !scopes.some((scope) => scope === name))) throw new InvalidArgumentError(`It must name one or more of ${MACHINE_SCOPES.join(', ')}.`);
  return scopes;
}

function networksValue(text: string): readonly string[] {
  const networks = partsOf(text);
  if (networks.length === 0 || networks.some((network) => parseNetwork(network) === null)) throw new InvalidArgumentError('It must be addresses or CIDR ranges such as 10.0.0.0/8.');
  return networks;
}

function overlapValue(text: string): number {
  const hours = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(hours <= 24)) throw new InvalidArgumentError('It must be a whole number from 0 to 24.');
  return hours;
}

async function createMachine(session: OperatorSession, name: string, { scopes, networks = [], expires }: CreateOptions): Promise<Report> {
  const by = session.act();
  const outcome = await asMisuse(session.machines.create({ name, scopes, networks, expiresAt: expires?.(by.at) ?? null }, by));
  if (outcome.outcome === 'too-many') throw new CommandFailure(`there are ${MAX_MACHINES} machines that are not revoked; revoke one first`);
  return { json: { machine: encodeIssued(outcome.issued, by.at) }, lines: issuedLines(outcome.issued, 'was created') };
}

async function listMachines({ machines, clock }: OperatorSession): Promise<Report> {
  const all = await machines.list();
  const now = clock.now();
  const rows = all.map((machine) => [
    machine.id, shortened(machine.name), machine.hint, machineState(machine, now), machine.scopes.join(','), machine.networks.join(',') || 'all', time(machine.expiresAt),
    time(machine.lastUsedAt, 'never'),
  ]);
  return {
    json: { machines: all.map((machine) => encode(machine, now)) },
    lines: all.length === 0 ? ['There is no machine. `tollgate machines create NAME --scopes LIST` creates one.'] : table(['ID', 'NAME', 'HINT', 'STATUS', 'SCOPES', 'NETWORKS', 'EXPIRES', 'LAST USED'], rows),
  };
}

async function rotateMachine(session: OperatorSession, id: string, { overlap, expires }: RotateOptions): Promise<Report> {
  const by = session.act();
  const outcome = await asMisuse(session.machines.rotate({ id: id as MachineId, overlapMilliseconds: overlap * MILLISECONDS_PER_HOUR, expiresAt: expires?.(by.at) ?? null }, by));
  if (outcome.outcome === 'no-such-machine') throw noSuchMachine(id);
  return { json: { machine: encodeIssued(outcome.issued, by.at) }, lines: issuedLines(outcome.issued, 'has a new secret') };
}

async function revokeMachine(session: OperatorSession, id: string): Promise<Report> {
  if (!await session.machines.revoke(id as MachineId, session.act())) throw noSuchMachine(id);
  return { json: { id, status: 'revoked' }, lines: [`Machine ${id} is revoked.`] };
}

function noSuchMachine(id: string): CommandFailure {
  return new CommandFailure(`there is no machine ${id}, or it is revoked; \`tollgate machines list\` shows them`);
}

function issuedLines({ machine: { id, expiresAt }, secret }: IssuedMachine, what: string): readonly string[] {
  return [`Machine ${id} ${what}. The secret is shown only once and cannot be recovered:`, secret.reveal(), `It expires at ${rfc3339(expiresAt)}.`];
}

function encode(machine: Machine, now: Instant) {
  return encodeMachine(machine, machineState(machine, now));
}

function encodeIssued({ machine, secret }: IssuedMachine, now: Instant) {
  return { ...encode(machine, now), secret: secret.reveal() };
}
