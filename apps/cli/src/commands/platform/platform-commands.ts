import { Argument, type Command } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../../program/command-runtime.js';
import { countValue, timeValue } from '../../values/option-values.js';
import { type LimitOptions, clearLimit, limitModel } from './limit-model.js';
import { blockNetwork, unblockNetwork } from './block-network.js';
import { platformStatus, setMaintenance } from './platform-status.js';

export function addPlatformCommands(program: Command, runtime: CommandRuntime): void {
  const platform = program.command('platform').description('maintenance, blocked networks, limits during incidents');
  platform.command('status').description('what is switched now')
    .action((_options: unknown, command: Command) => runtime.perform(command, platformStatus));
  platform.command('maintenance').description('refuse all requests with 503, or end that')
    .addArgument(new Argument('<state>').choices(['on', 'off'])).option(...YES_OPTION)
    .action(async (state: 'on' | 'off', _options: unknown, command: Command) => {
      if (state === 'on') await runtime.confirm(command, 'Every request of every account is refused until maintenance is off.');
      await runtime.perform(command, (session) => setMaintenance(session, state));
    });
  addNetworkCommands(platform, runtime);
  addLimitCommands(platform, runtime);
}

const NETWORK_ARGUMENT = ['<network>', 'an address or a CIDR range: 192.0.2.0/24, 2001:db8::/32'] as const;

function addNetworkCommands(platform: Command, runtime: CommandRuntime): void {
  platform.command('block-network').description('refuse requests from a network').argument(...NETWORK_ARGUMENT)
    .option('--reason <text>', 'for the record')
    .action((network: string, { reason }: { reason?: string }, command: Command) =>
      runtime.perform(command, (session) => blockNetwork(session, network, reason ?? null)));
  platform.command('unblock-network').description('take a network off the blocklist').argument(...NETWORK_ARGUMENT)
    .action((network: string, _options: unknown, command: Command) => runtime.perform(command, (session) => unblockNetwork(session, network)));
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
