import {
  type ApiKey, type ApiKeyId, apiKeyState, KEY_CREATIONS_PER_HOUR, KEY_ROTATIONS_PER_HOUR, type KeyChange, type RotateKeyOutcome, type ServiceTokens, type SpendingLimit,
} from '@tollgate/core';
import type { Command } from 'commander';
import { encodeIssuedKey, encodeKey, issuedKeyLines, limitText, modelsText, viewKey } from '../program/view-key.js';
import { CommandFailure, misuse } from '../program/command-failure.js';
import { type Report, shortened, tableOr, time } from '../program/report.js';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { ACCOUNT_ARGUMENT, findAccount } from '../program/find-account.js';
import { amountValue, endTimeValue, nameValue, type TimeValue } from '../program/option-values.js';
import { findModels, type ModelNames, modelNamesValue } from '../program/find-models.js';
import { planOf } from '../program/find-plan.js';
import { present } from '../program/present.js';
import { BLOCK_EXPIRES_OPTION, BLOCK_REASON_OPTION, type BlockOptions, blockTermsOf } from './blocks.js';

const KEY_ARGUMENT = ['<key>', 'its id (key_…)'] as const;

interface CreateOptions extends LimitOptions { readonly name?: string; readonly expires?: TimeValue; readonly models?: ModelNames }
interface BoundOptions extends LimitOptions { readonly models?: ModelNames }

export function addKeyCommands(program: Command, runtime: CommandRuntime): void {
  const keys = program.command('keys').description('API keys of an account');
  keys.command('create').description('create a key; it is shown once').argument(...ACCOUNT_ARGUMENT)
    .option('--name <text>', 'a name to tell it from other keys', nameValue)
    .option('--expires <when>', 'when it expires: a day (its end, in UTC), a time, or a span from now such as 90d', endTimeValue)
    .option('--models <list>', 'the models it may use, separated by commas (default: all)', modelNamesValue)
    .option('--per-day <amount>', 'its spending limit in a UTC day, in service tokens (default: no limit)', amountValue)
    .option('--per-month <amount>', 'its spending limit in a UTC month, in service tokens', amountValue)
    .action((account: string, options: CreateOptions, command: Command) => runtime.perform(command, (session) => createKey(session, account, options)));
  keys.command('list').description('all keys of an account, newest first').argument(...ACCOUNT_ARGUMENT)
    .action((account: string, _options: unknown, command: Command) => runtime.perform(command, (session) => listKeys(session, account)));
  addKeyAct(keys, 'rename', 'change or remove the name of a key').argument('[name]', 'the new name; without it, the name is removed', nameValue)
    .action((...[account, key, name, , command]: RenameAction) => runtime.perform(command, (session) => renameKey(session, account, { key, name: name ?? null })));
  addKeyAct(keys, 'limit', 'limit what a key may spend and which models it may use')
    .option('--per-day <amount>', 'its spending limit in a UTC day, in service tokens', amountValue)
    .option('--per-month <amount>', 'its spending limit in a UTC month, in service tokens', amountValue)
    .option('--none', 'remove its spending limit')
    .option('--models <list>', 'the models it may use, separated by commas, or all', modelNamesValue)
    .action((...[account, key, options, command]: LimitAction) => runtime.perform(command, (session) => limitKey(session, account, { key, ...options })));
  addKeyAct(keys, 'rotate', 'revoke a key and create its replacement; it is shown once').option(...YES_OPTION)
    .action(async (...[account, key, , command]: KeyAction) => {
      await runtime.confirm(command, `Key ${key} stops working immediately and permanently, wherever its owner uses it.`);
      await runtime.perform(command, (session) => rotateKey(session, account, key));
    });
  addKeyAct(keys, 'revoke', 'revoke a key permanently').option(...YES_OPTION)
    .action(async (...[account, key, , command]: KeyAction) => {
      await runtime.confirm(command, `Key ${key} stops working immediately and permanently.`);
      await runtime.perform(command, (session) => revokeKey(session, account, key));
    });
  addKeyAct(keys, 'block', 'refuse requests with a key until it is unblocked').option(...BLOCK_REASON_OPTION).option(...BLOCK_EXPIRES_OPTION)
    .action((...[account, key, options, command]: BlockAction) =>
      runtime.perform(command, (session) => blockKey(session, account, { key, state: 'blocked', options })));
  addKeyAct(keys, 'unblock', 'end the block of a key')
    .action((...[account, key, , command]: KeyAction) => runtime.perform(command, (session) => blockKey(session, account, { key, state: 'unblocked', options: {} })));
}

type RenameAction = [account: string, key: string, name: string | undefined, options: unknown, command: Command];
type LimitAction = [account: string, key: string, options: BoundOptions, command: Command];
type BlockAction = [account: string, key: string, options: BlockOptions, command: Command];
type KeyAction = [account: string, key: string, options: unknown, command: Command];

function addKeyAct(keys: Command, name: string, description: string): Command {
  return keys.command(name).description(description).argument(...ACCOUNT_ARGUMENT).argument(...KEY_ARGUMENT);
}

interface KeyRenaming { readonly key: string; readonly name: string | null }

/** Options of which at most one may be given. */
interface LimitOptions {
  readonly perDay?: ServiceTokens;
  readonly perMonth?: ServiceTokens;
  readonly none?: true;
}

interface KeyBounds extends LimitOptions { readonly key: string; readonly models?: ModelNames }

async function renameKey(session: OperatorSession, idOrEmail: string, { key, name }: KeyRenaming): Promise<Report> {
  const changed = await changeKey(session, idOrEmail, { key, change: { name } });
  const line = name === null ? `Key ${key} has no name.` : `Key ${key} is named "${name}".`;
  return { json: { key: encodeKey(await viewKey(session, changed), session) }, lines: [line] };
}

/** The limit that the options give; `null` removes it, `undefined` keeps it. */
function limitOf({ perDay, perMonth, none }: LimitOptions): SpendingLimit | null | undefined {
  const given = [perDay, perMonth, none].filter((option) => option !== undefined);
  if (given.length > 1) throw misuse('only one of the options --per-day, --per-month and --none may be given');
  if (perDay !== undefined) return { amount: perDay, period: 'day' };
  if (perMonth !== undefined) return { amount: perMonth, period: 'month' };
  return none === undefined ? undefined : null;
}

/** Changes the bounds that the options give and keeps the others. */
async function limitKey(session: OperatorSession, idOrEmail: string, { key, models, ...options }: KeyBounds): Promise<Report> {
  const limit = limitOf(options);
  if (models === undefined && limit === undefined) throw misuse('at least one of the options --per-day, --per-month, --none and --models is needed');
  const change = {
    ...(models === undefined ? {} : { models: await findModels(session, models) }),
    ...(limit === undefined ? {} : { limit }),
  };
  const view = await viewKey(session, await changeKey(session, idOrEmail, { key, change }));
  const spending = limitText(view);
  const line = `Key ${key} may use ${modelsText(view.key)}${spending === null ? '' : ` and has spent ${spending} (service tokens, UTC)`}.`;
  return { json: { key: encodeKey(view, session) }, lines: [line] };
}

async function changeKey(session: OperatorSession, idOrEmail: string, { key, change }: { readonly key: string; readonly change: KeyChange }): Promise<ApiKey> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const changed = await session.keys.change({ accountId, keyId: key as ApiKeyId, change, actor: session.actor });
  if (changed === null) throw new CommandFailure(`the account has no key ${key}, or it is revoked`);
  return changed;
}

async function revokeKey(session: OperatorSession, idOrEmail: string, key: string): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const revoked = await session.keys.revoke(accountId, key as ApiKeyId, session.actor);
  if (!revoked) throw new CommandFailure(`the account has no key ${key}, or it is already revoked`);
  const found = present(await session.store.keys.findById(accountId, key as ApiKeyId), 'the revoked key');
  return { json: { key: encodeKey(await viewKey(session, found), session) }, lines: [`Key ${key} is revoked.`] };
}

interface KeyBlocking { readonly key: string; readonly state: 'blocked' | 'unblocked'; readonly options: BlockOptions }

async function blockKey(session: OperatorSession, idOrEmail: string, { key, state, options }: KeyBlocking): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const changed = await session.store.keys.setBlocked(accountId, key as ApiKeyId, state === 'blocked', { ...session.act(), ...blockTermsOf(options, session) });
  if (!changed) throw new CommandFailure(`the account has no key ${key}`);
  const found = present(await session.store.keys.findById(accountId, key as ApiKeyId), 'the changed key');
  return { json: { key: encodeKey(await viewKey(session, found), session) }, lines: [`Key ${key} is ${state}.`] };
}

const REFUSALS = {
  'quota-exceeded': 'the account has as many active keys as its plan allows',
  'too-many-per-hour': `the account has reached the limit of ${KEY_CREATIONS_PER_HOUR} new keys an hour`,
} as const;

interface KeyTerms extends LimitOptions { readonly name?: string; readonly expires?: TimeValue; readonly models?: ModelNames }

async function createKey(session: OperatorSession, idOrEmail: string, { name, expires, models = 'all', ...limit }: KeyTerms): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const expiresAt = expires?.(session.clock.now()) ?? null;
  const outcome = await session.keys.create({
    accountId: account.id, plan: planOf(session, account), name: name ?? null, expiresAt, models: await findModels(session, models),
    limit: limitOf(limit) ?? null, actor: session.actor,
  });
  if (outcome.outcome === 'expiry-in-the-past') throw misuse('option \'--expires <when>\' is in the past');
  if (outcome.outcome !== 'created') throw new CommandFailure(REFUSALS[outcome.outcome]);
  return { json: { key: encodeIssuedKey(outcome.issued, session) }, lines: issuedKeyLines(outcome.issued) };
}

function rotationRefusal(outcome: Exclude<RotateKeyOutcome['outcome'], 'rotated'>, keyId: string): string {
  switch (outcome) {
    case 'no-such-key': return `the account has no key ${keyId}`;
    case 'not-active': return `key ${keyId} is already revoked or expired`;
    case 'blocked': return `key ${keyId} is blocked, and a replacement would not be blocked; unblock the key first`;
    case 'too-many-per-hour': return `the account has reached the limit of ${KEY_ROTATIONS_PER_HOUR} rotations an hour`;
  }
}

async function rotateKey(session: OperatorSession, idOrEmail: string, keyId: string): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const outcome = await session.keys.rotate({ accountId, keyId: keyId as ApiKeyId, actor: session.actor });
  if (outcome.outcome !== 'rotated') throw new CommandFailure(rotationRefusal(outcome.outcome, keyId));
  const { spending } = await viewKey(session, outcome.issued.key);
  return {
    json: { revoked: keyId, key: encodeIssuedKey(outcome.issued, session, spending) },
    lines: [`Key ${keyId} is revoked.`, ...issuedKeyLines(outcome.issued)],
  };
}

async function listKeys(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const views = await Promise.all((await session.keys.list(id)).map((key) => viewKey(session, key)));
  const now = session.clock.now();
  return {
    json: { keys: views.map((view) => encodeKey(view, session)) },
    lines: tableOr('The account has no key.', ['ID', 'NAME', 'HINT', 'STATUS', 'CREATED', 'EXPIRES', 'MODELS', 'SPENT'], views.map(({ key, spending }) => [
      key.id, key.name === null ? null : shortened(key.name), key.hint, key.blocked ? `${apiKeyState(key, now)}, blocked` : apiKeyState(key, now), time(key.createdAt),
      time(key.expiresAt), modelsText(key), limitText({ key, spending }),
    ])),
  };
}
