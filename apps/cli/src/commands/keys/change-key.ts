import type { ApiKey, ApiKeyId, KeyChange, ServiceTokens, SpendingLimit } from '@tollgate/core';
import { encodeKey } from '../../encoding/encode-key.js';
import { CommandFailure, misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findAccount } from '../../values/find-account.js';
import { findModels, type ModelNames } from '../../values/model-names.js';
import { limitText, modelsText, viewKey } from '../../values/view-key.js';

interface KeyRenaming { readonly key: string; readonly name: string | null }

/** A spending limit as its options say it, of which one is given at most. */
export interface LimitOptions {
  readonly perDay?: ServiceTokens;
  readonly perMonth?: ServiceTokens;
  readonly none?: true;
}

interface KeyBounds extends LimitOptions { readonly key: string; readonly models?: ModelNames }

export async function renameKey(session: OperatorSession, idOrEmail: string, { key, name }: KeyRenaming): Promise<Report> {
  const changed = await changeKey(session, idOrEmail, { key, change: { name } });
  const line = name === null ? `Key ${key} has no name.` : `Key ${key} is named "${name}".`;
  return { json: { key: encodeKey(await viewKey(session, changed), session.clock.now()) }, lines: [line] };
}

/** The limit that the options give; `null`: none, `undefined`: they say nothing. */
export function limitOf({ perDay, perMonth, none }: LimitOptions): SpendingLimit | null | undefined {
  const given = [perDay, perMonth, none].filter((option) => option !== undefined);
  if (given.length > 1) throw misuse('only one of the options --per-day, --per-month and --none may be given');
  if (perDay !== undefined) return { amount: perDay, period: 'day' };
  if (perMonth !== undefined) return { amount: perMonth, period: 'month' };
  return none === undefined ? undefined : null;
}

/** Changes the bounds that the options name, and leaves the others. */
export async function limitKey(session: OperatorSession, idOrEmail: string, { key, models, ...options }: KeyBounds): Promise<Report> {
  const limit = limitOf(options);
  if (models === undefined && limit === undefined) throw misuse('at least one of the options --per-day, --per-month, --none and --models is needed');
  const change = {
    ...(models === undefined ? {} : { models: await findModels(session, models) }),
    ...(limit === undefined ? {} : { limit }),
  };
  const view = await viewKey(session, await changeKey(session, idOrEmail, { key, change }));
  const spending = limitText(view);
  const line = `Key ${key} may use ${modelsText(view.key)}${spending === null ? '' : ` and has spent ${spending} (service tokens, UTC)`}.`;
  return { json: { key: encodeKey(view, session.clock.now()) }, lines: [line] };
}

async function changeKey(session: OperatorSession, idOrEmail: string, { key, change }: { readonly key: string; readonly change: KeyChange }): Promise<ApiKey> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const changed = await session.keys.change({ accountId, keyId: key as ApiKeyId, change, actor: session.actor });
  if (changed === null) throw new CommandFailure(`the account has no key ${key}, or it is revoked`);
  return changed;
}
