import type { Command } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../../program/command-runtime.js';
import { ACCOUNT_ARGUMENT } from '../../values/find-account.js';
import { type ModelNames, modelNamesValue } from '../../values/model-names.js';
import { amountValue, type TimeValue, timeValue } from '../../values/option-values.js';
import { BLOCK_EXPIRES_OPTION, BLOCK_REASON_OPTION, type BlockOptions } from '../platform/blocks.js';
import { limitKey, type LimitOptions, renameKey } from './change-key.js';
import { blockKey, revokeKey } from './end-key.js';
import { createKey, listKeys, rotateKey } from './issue-keys.js';

const KEY_ARGUMENT = ['<key>', 'its id (key_…)'] as const;

interface CreateOptions extends LimitOptions { readonly name?: string; readonly expires?: TimeValue; readonly models?: ModelNames }
interface BoundOptions extends LimitOptions { readonly models?: ModelNames }

export function addKeyCommands(program: Command, runtime: CommandRuntime): void {
  const keys = program.command('keys').description('API keys of an account');
  keys.command('create').description('make a key, which is shown once').argument(...ACCOUNT_ARGUMENT)
    .option('--name <text>', 'to tell it from others')
    .option('--expires <when>', 'a day, a time, or a span from now such as 90d', timeValue)
    .option('--models <list>', 'the models it may use, separated by commas (default: all)', modelNamesValue)
    .option('--per-day <amount>', 'the most it may spend in a UTC day, in service tokens (default: no limit)', amountValue)
    .option('--per-month <amount>', 'the most it may spend in a UTC month', amountValue)
    .action((account: string, options: CreateOptions, command: Command) => runtime.perform(command, (session) => createKey(session, account, options)));
  keys.command('list').description('all its keys, newest first').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => listKeys(session, account)));
  addKeyAct(keys, 'rename', 'give a key another name, or none').argument('[name]', 'the new name; left out, the key has none')
    .action((...[account, key, name, , command]: RenameAction) => runtime.perform(command, (session) => renameKey(session, account, { key, name: name ?? null })));
  addKeyAct(keys, 'limit', 'bound what a key may spend and use')
    .option('--per-day <amount>', 'the most it may spend in a UTC day, in service tokens', amountValue)
    .option('--per-month <amount>', 'the most it may spend in a UTC month', amountValue)
    .option('--none', 'no limit of its own')
    .option('--models <list>', 'the models it may use, separated by commas, or all', modelNamesValue)
    .action((...[account, key, options, command]: LimitAction) => runtime.perform(command, (session) => limitKey(session, account, { key, ...options })));
  addKeyAct(keys, 'rotate', 'revoke a key and make its replacement, which is shown once').option(...YES_OPTION)
    .action(async (...[account, key, , command]: KeyAction) => {
      await runtime.confirm(command, `Key ${key} stops working at once and for ever, wherever its owner uses it.`);
      await runtime.perform(command, (session) => rotateKey(session, account, key));
    });
  addKeyAct(keys, 'revoke', 'refuse a key for ever, from the next request on').option(...YES_OPTION)
    .action(async (...[account, key, , command]: KeyAction) => {
      await runtime.confirm(command, `Key ${key} stops working at once and for ever.`);
      await runtime.perform(command, (session) => revokeKey(session, account, key));
    });
  addKeyAct(keys, 'block', 'put a key on the blocklist').option(...BLOCK_REASON_OPTION).option(...BLOCK_EXPIRES_OPTION)
    .action((...[account, key, options, command]: BlockAction) =>
      runtime.perform(command, (session) => blockKey(session, account, { key, state: 'blocked', options })));
  addKeyAct(keys, 'unblock', 'take a key off the blocklist')
    .action((...[account, key, , command]: KeyAction) => runtime.perform(command, (session) => blockKey(session, account, { key, state: 'unblocked', options: {} })));
}

type RenameAction = [account: string, key: string, name: string | undefined, options: unknown, command: Command];
type LimitAction = [account: string, key: string, options: BoundOptions, command: Command];
type BlockAction = [account: string, key: string, options: BlockOptions, command: Command];
type KeyAction = [account: string, key: string, options: unknown, command: Command];

function addKeyAct(keys: Command, name: string, description: string): Command {
  return keys.command(name).description(description).argument(...ACCOUNT_ARGUMENT).argument(...KEY_ARGUMENT);
}
