import { Argument, type Command } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../../program/command-runtime.js';
import { countValue, timeValue } from '../../values/option-values.js';
import { type LimitOptions, clearLimit, limitModel } from './limit-model.js';
import { block, BLOCK_EXPIRES_OPTION, BLOCK_REASON_OPTION, type BlockOptions, listBlocks, unblock } from './blocks.js';
import { endMaintenance, type MaintenanceOptions, startMaintenance } from './maintenance.js';
import { platformStatus } from './platform-status.js';

export function addPlatformCommands(program: Command, runtime: CommandRuntime): void {
  const platform = program.command('platform').description('maintenance, blocked networks, limits during incidents');
  platform.command('status').description('what is switched now')
    .action((_options: unknown, command: Command) => runtime.perform(command, platformStatus));
  platform.command('maintenance').description('refuse all requests with 503, or end that')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .option('--from <when>', 'when it begins by itself: a day, a time, or a span from now such as 2h (default: now)', timeValue)
    .option('--until <when>', 'when it ends by itself, which clients are told (default: when it is switched off)', timeValue)
    .option('--message <text>', 'what clients and owners read beside that')
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
  platform.command('unblock-network').description('take a network off the blocklist').argument(...NETWORK_ARGUMENT)
    .action((network: string, _options: unknown, command: Command) => runtime.perform(command, (session) => unblock(session, { kind: 'network', subject: network })));
  platform.command('blocks').description('all blocked accounts, keys and networks, newest first')
    .action((_options: unknown, command: Command) => runtime.perform(command, listBlocks));
}

const MODEL_ARGUMENT = ['<model>', 'a model of `tollgate models list`, or an alias of one'] as const;

function addLimitCommands(platform: Command, runtime: CommandRuntime): void {
  platform.command('limit-model').description('limit each account\'s requests to one model, beside its plan').argument(...MODEL_ARGUMENT)
    .option('--requests-per-minute <number>', 'at most', countValue)
    .option('--tokens-per-minute <number>', 'at most', countValue)
    .option('--concurrent-requests <number>', 'at most', countValue)
    .option('--expires <when>', 'when it ends by itself: a day, a time, or a span from now such as 45s or 30m', timeValue)
    .action((model: string, options: LimitOptions, command: Command) => runtime.perform(command, (session) => limitModel(session, model, options)));
  platform.command('clear-limit').description('end such a limit').argument(...MODEL_ARGUMENT)
    .action((model: string, _options: unknown, command: Command) => runtime.perform(command, (session) => clearLimit(session, model)));
}
