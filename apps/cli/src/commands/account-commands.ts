import { ACCOUNT_ORDERS, CONDITIONS_OF_STANDING, PAGE_SIZES, PAY_AS_YOU_GO, type ServiceTokens } from '@tollgate/core';
import { type Command, Option } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import { ACCOUNT_ARGUMENT } from '../program/find-account.js';
import { withFormerNames } from '../program/former-names.js';
import { amountValue, correctionValue, creditValue, dayValue, endTimeValue, mailAddressValue, nameValue, pageSizeOption, type TimeValue } from '../program/option-values.js';
import { BLOCK_EXPIRES_OPTION, BLOCK_REASON_OPTION, type BlockOptions, blockTermsOf, reasonOf } from './blocks.js';
import {
  changeAccount, changeAddress, changeStanding, createAccount, type CreateAccountOptions, deleteNow, type PlainAct, scheduleDeletion, showAccount,
} from './accounts.js';
import { listAccounts, type ListAccountsOptions } from './list-accounts.js';
import { addNoteCommands } from './account-notes.js';
import { listCredits } from './account-credits.js';
import { showAutomaticTopUp } from './automatic-top-up.js';
import { type BookingOptions, correctBalance, creditAccount, refundRequest } from './account-money.js';

const STANDING_ACTS: readonly (readonly [name: string, description: string, trigger: PlainAct])[] = [
  ['reactivate', 'end the suspension of an account', 'reactivate'],
  ['unblock', 'end the block of an account', 'unblock'],
  ['verify-email', 'mark the e-mail address of an account as verified', 'verify'],
];

const REASON_OPTION = ['--reason <text>', 'why, for the audit log'] as const;
const REFERENCE_OPTION = ['--reference <text>', 'a reference is booked once, even if the command is repeated (default: a new one)'] as const;

function addMoneyCommands(accounts: Command, runtime: CommandRuntime): void {
  accounts.command('refund').description('refund service tokens for one request; all its refunds together are at most its charge').argument(...ACCOUNT_ARGUMENT)
    .argument('<request>', 'id of the request').argument('<amount>', 'service tokens', amountValue)
    .requiredOption(...REASON_OPTION).option(...REFERENCE_OPTION)
    .action((...[account, request, amount, options, command]: [string, string, ServiceTokens, BookingOptions, Command]) =>
      runtime.perform(command, (session) => refundRequest(session, account, { request, amount, ...options })));
  accounts.command('correct').description('correct the balance of an account; write a negative amount after `--`').argument(...ACCOUNT_ARGUMENT)
    .argument('<amount>', 'service tokens; a negative amount lowers the balance, by at most the available balance', correctionValue)
    .requiredOption(...REASON_OPTION).option(...REFERENCE_OPTION)
    .action((...[account, amount, options, command]: [string, ServiceTokens, BookingOptions, Command]) =>
      runtime.perform(command, (session) => correctBalance(session, account, { amount, ...options })));
}

function addDeletionCommands(accounts: Command, runtime: CommandRuntime): void {
  accounts.command('delete').description('schedule the deletion of an account after DELETION_GRACE_DAYS; `undelete` cancels it until then').argument(...ACCOUNT_ARGUMENT)
    .option('--now', 'delete the account immediately; this cannot be undone')
    .option(...YES_OPTION)
    .action(async (account: string, { now }: { readonly now?: true }, command: Command) => {
      if (now === true) await runtime.confirm(command, `The balance of ${account} is forfeited, its keys are revoked, and its name and address are erased permanently.`);
      await runtime.perform(command, (session) => (now === true ? deleteNow(session, account) : scheduleDeletion(session, account)));
    });
  accounts.command('undelete').description('cancel the scheduled deletion of an account').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) =>
      runtime.perform(command, (session) => changeStanding(session, account, { trigger: 'cancel-deletion' })));
}

function addCredit(accounts: Command, runtime: CommandRuntime): void {
  accounts.command('credit').description('add service tokens to the balance of an account').argument(...ACCOUNT_ARGUMENT)
    .argument('<amount>', 'service tokens', amountValue)
    .option('--reference <text>', 'a reference is credited once, even if the command is repeated (default: a new one)')
    .option(...REASON_OPTION)
    .option('--expires <when>', 'when its unused part is taken from the balance: a day (its end, in UTC), a time, or a span from now such as 90d (default: never)', endTimeValue)
    .action((...[account, amount, options, command]: [string, ServiceTokens, Partial<BookingOptions> & { readonly expires?: TimeValue }, Command]) =>
      runtime.perform(command, (session) => creditAccount(session, account, {
        amount, reference: options.reference ?? null, reason: options.reason ?? null, expiresAt: options.expires?.(session.clock.now()) ?? null,
      })));
  accounts.command('credits').description('the unused part of each credit of an account, and when it expires').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => listCredits(session, account)));
}

export function addAccountCommands(program: Command, runtime: CommandRuntime): void {
  const accounts = program.command('accounts').description('accounts, their plans and balances');
  addCreate(accounts, runtime);
  addList(accounts, runtime);
  accounts.command('show').description('one account with its balance, limits and keys').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => showAccount(session, account)));
  addCredit(accounts, runtime);
  accounts.command('set-plan').description('change the plan of an account').argument(...ACCOUNT_ARGUMENT).argument('<plan>', 'a plan of `tollgate plans list`')
    .action((...[account, plan, , command]: [string, string, unknown, Command]) =>
      runtime.perform(command, (session) => changeAccount(session, account, { plan })));
  accounts.command('set-prices').description('change the price list of an account').argument(...ACCOUNT_ARGUMENT)
    .argument('<list>', 'a list of `tollgate prices list`, or `standard`')
    .action((...[account, priceList, , command]: [string, string, unknown, Command]) =>
      runtime.perform(command, (session) => changeAccount(session, account, { priceList })));
  accounts.command('automatic-top-up').description('the automatic top-up of an account: its settings, its last charge and what the next one waits for').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => showAutomaticTopUp(session, account)));
  addMoneyCommands(accounts, runtime);
  addDeletionCommands(accounts, runtime);
  addBlock(accounts, runtime);
  accounts.command('suspend').description('refuse the requests of an account until it is reactivated').argument(...ACCOUNT_ARGUMENT)
    .option('--reason <text>', 'why, shown to its owner and in the audit log')
    .action((account: string, options: { readonly reason?: string }, command: Command) => runtime.perform(command, (session) =>
      changeStanding(session, account, { trigger: 'suspend', reason: reasonOf(options) })));
  accounts.command('rename').description('change the name of an account').argument(...ACCOUNT_ARGUMENT).argument('<name>', 'the new name', nameValue)
    .action((...[account, name, , command]: [string, string, unknown, Command]) =>
      runtime.perform(command, (session) => changeAccount(session, account, { name })));
  accounts.command('change-email').description('change the e-mail address of an account and its owner, whose sessions and links end; both addresses get a message')
    .argument(...ACCOUNT_ARGUMENT).argument('<email>', 'the new address, which is not verified by mail', mailAddressValue)
    .action((...[account, email, , command]: [string, string, unknown, Command]) => runtime.perform(command, (session) => changeAddress(session, account, email)));
  addNoteCommands(accounts, runtime);
  for (const [name, description, trigger] of STANDING_ACTS) {
    accounts.command(name).description(description).argument(...ACCOUNT_ARGUMENT)
      .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => changeStanding(session, account, { trigger })));
  }
}

function addList(accounts: Command, runtime: CommandRuntime): void {
  withFormerNames(accounts.command('list').description('all accounts, oldest first, or those that the options leave')
    .option('--search <text>', 'part of a name, an address or an external id; or the whole id of an account, a person or a key; or the end of a key')
    .option('--plan <plan>', 'those of this plan')
    .addOption(new Option('--status <status>', 'those with this status').choices(Object.keys(CONDITIONS_OF_STANDING)))
    .option('--below <amount>', 'those with fewer service tokens available than this', amountValue)
    .option('--used-since <day>', 'those of which a request ended on this UTC day or later, even a free one', dayValue)
    .option('--unused-since <day>', 'those of which no request ended on this UTC day or later', dayValue)
    .addOption(new Option('--sort <order>', 'order of the list').choices(ACCOUNT_ORDERS).default('created'))
    .option('--descending', 'in descending order')
    .option(...pageSizeOption(PAGE_SIZES.accounts.commandLine))
    .option('--cursor <id>', 'continue after this account, in the ascending order of creation'), runtime, { after: 'cursor', standing: 'status' })
    .action((options: ListAccountsOptions, command: Command) => runtime.perform(command, (session) => listAccounts(session, options)));
}

function addBlock(accounts: Command, runtime: CommandRuntime): void {
  accounts.command('block').description('refuse the requests of an account until it is unblocked').argument(...ACCOUNT_ARGUMENT)
    .option(...BLOCK_REASON_OPTION).option(...BLOCK_EXPIRES_OPTION)
    .action((account: string, options: BlockOptions, command: Command) => runtime.perform(command, (session) =>
      changeStanding(session, account, { trigger: 'block', terms: blockTermsOf(options, session) })));
}

function addCreate(accounts: Command, runtime: CommandRuntime): void {
  accounts.command('create').description('create an account and its first key; the key is shown once')
    .requiredOption('--email <address>', 'e-mail address of its owner')
    .requiredOption('--name <text>', 'name of the account', nameValue)
    .option('--plan <plan>', 'a plan of `tollgate plans list`', PAY_AS_YOU_GO)
    .option('--credit <amount>', 'initial balance in service tokens', creditValue)
    .option('--reference <text>', 'reference of that credit (default: a new one)')
    .option('--unverified', 'mark the e-mail address as not verified')
    .action((options: CreateAccountOptions, command: Command) => runtime.perform(command, (session) => createAccount(session, options)));
}
