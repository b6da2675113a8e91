import type { ApiKey, ApiKeyId, KeyChange } from '@tollgate/core';
import { encodeKey } from '../../encoding/encode-key.js';
import { CommandFailure, misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findAccount } from '../../values/find-account.js';
import { findModels, type ModelNames } from '../../values/model-names.js';

interface KeyRenaming { readonly key: string; readonly name: string | null }

interface KeyBounds { readonly key: string; readonly models?: ModelNames }

export async function renameKey(session: OperatorSession, idOrEmail: string, { key, name }: KeyRenaming): Promise<Report> {
  const changed = await changeKey(session, idOrEmail, { key, change: { name } });
  const line = name === null ? `Key ${key} has no name.` : `Key ${key} is named "${name}".`;
  return { json: { key: encodeKey(changed, session.clock.now()) }, lines: [line] };
}

export async function limitKey(session: OperatorSession, idOrEmail: string, { key, models }: KeyBounds): Promise<Report> {
  if (models === undefined) throw misuse('the option --models is needed');
  const changed = await changeKey(session, idOrEmail, { key, change: { models: await findModels(session, models) } });
  return { json: { key: encodeKey(changed, session.clock.now()) }, lines: [`Key ${key} may use ${modelsText(changed)}.`] };
}

async function changeKey(session: OperatorSession, idOrEmail: string, { key, change }: { readonly key: string; readonly change: KeyChange }): Promise<ApiKey> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const changed = await session.keys.change({ accountId, keyId: key as ApiKeyId, change, actor: session.actor });
  if (changed === null) throw new CommandFailure(`the account has no key ${key}`);
  return changed;
}

/** `all models`, or their slugs. */
export function modelsText({ models }: ApiKey): string {
  return models === null ? 'all models' : [...models].join(', ');
}
