import { PAY_AS_YOU_GO } from '@tollgate/core';
import type { Command } from 'commander';
import type { CommandRuntime } from '../../program/command-runtime.js';
import { amountValue, creditValue, pageSizeValue } from '../../values/option-values.js';
import { ACCOUNT_ARGUMENT } from '../../values/find-account.js';
import { changeAccount } from './change-account.js';
import { changeStanding, type PlainAct } from './change-standing.js';
import { createAccount, type CreateAccountOptions } from './create-account.js';
import { creditAccount } from './credit-account.js';
import { listAccounts, showAccount } from './show-accounts.js';

const STANDING_ACTS: readonly (readonly [name: string, description: string, trigger: PlainAct])[] = [
  ['suspend', 'refuse its requests until it is reactivated', 'suspend'],
  ['reactivate', 'end a suspension', 'reactivate'],
  ['block', 'put it on the blocklist', 'block'],
  ['unblock', 'take it off the blocklist', 'unblock'],
  ['verify-email', 'count its e-mail address as verified', 'verify'],
];

export function addAccountCommands(program: Command, runtime: CommandRuntime): void {
  const accounts = program.command('accounts').description('accounts, their plans and balances');
  addCreate(accounts, runtime);
  accounts.command('list').description('all accounts, oldest first')
    .option('--limit <number>', 'the most to list, up to 1000', pageSizeValue, 100)
    .option('--after <id>', 'read on after this account')
    .action((options: { limit: number; after?: string }, command: Command) => runtime.perform(command, (session) => listAccounts(session, options)));
  accounts.command('show').description('one account with its balance, limits and keys').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => showAccount(session, account)));
  accounts.command('credit').description('add service tokens to its balance').argument(...ACCOUNT_ARGUMENT)
    .argument('<amount>', 'service tokens', amountValue)
    .option('--reference <text>', 'the same reference credits an account once, however often it is sent (default: a new one)')
    .action((...[account, amount, options, command]: [string, ReturnType<typeof amountValue>, { reference?: string }, Command]) =>
      runtime.perform(command, (session) => creditAccount(session, account, { amount, reference: options.reference ?? null })));
  accounts.command('set-plan').description('change its plan').argument(...ACCOUNT_ARGUMENT).argument('<plan>', 'a plan of `tollgate plans list`')
    .action((...[account, plan, , command]: [string, string, unknown, Command]) =>
      runtime.perform(command, (session) => changeAccount(session, account, { plan })));
  accounts.command('rename').description('change the name of its owner').argument(...ACCOUNT_ARGUMENT).argument('<name>', 'the new name')
    .action((...[account, name, , command]: [string, string, unknown, Command]) =>
      runtime.perform(command, (session) => changeAccount(session, account, { name })));
  for (const [name, description, trigger] of STANDING_ACTS) {
    accounts.command(name).description(description).argument(...ACCOUNT_ARGUMENT)
      .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => changeStanding(session, account, { trigger })));
  }
}

function addCreate(accounts: Command, runtime: CommandRuntime): void {
  accounts.command('create').description('make an account and its first key, which is shown once')
    .requiredOption('--email <address>', 'e-mail address of its owner')
    .requiredOption('--name <text>', 'name of its owner')
    .option('--plan <plan>', 'a plan of `tollgate plans list`', PAY_AS_YOU_GO)
    .option('--credit <amount>', 'service tokens to begin with', creditValue)
    .option('--reference <text>', 'reference of that credit (default: a new one)')
    .option('--unverified', 'count the e-mail address as not verified yet')
    .action((options: CreateAccountOptions, command: Command) => runtime.perform(command, (session) => createAccount(session, options)));
}
