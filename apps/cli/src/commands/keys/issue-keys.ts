import { type ApiKeyId, apiKeyState, rfc3339 } from '@tollgate/core';
import { encodeIssuedKey, encodeKey, issuedKeyLines } from '../../encoding/encode-key.js';
import { CommandFailure, misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { findAccount, planOf } from '../../values/find-account.js';
import { findModels, type ModelNames } from '../../values/model-names.js';
import type { TimeValue } from '../../values/option-values.js';
import { limitText, modelsText, viewKey } from '../../values/view-key.js';
import { type LimitOptions, limitOf } from './change-key.js';

const REFUSALS = {
  'quota-exceeded': 'the account has as many active keys as its plan allows',
  'too-many-per-hour': 'the account has had its 20 new keys of this hour',
} as const;

interface KeyTerms extends LimitOptions { readonly name?: string; readonly expires?: TimeValue; readonly models?: ModelNames }

export async function createKey(session: OperatorSession, idOrEmail: string, { name, expires, models = 'all', ...limit }: KeyTerms): Promise<Report> {
  const account = await findAccount(session, idOrEmail);
  const expiresAt = expires?.(session.clock.now()) ?? null;
  const outcome = await session.keys.create({
    accountId: account.id, plan: planOf(session, account), name: name ?? null, expiresAt, models: await findModels(session, models),
    limit: limitOf(limit) ?? null, actor: session.actor,
  });
  if (outcome.outcome === 'expiry-in-the-past') throw misuse('option \'--expires <when>\' is in the past');
  if (outcome.outcome !== 'created') throw new CommandFailure(REFUSALS[outcome.outcome]);
  return { json: { key: encodeIssuedKey(outcome.issued) }, lines: issuedKeyLines(outcome.issued) };
}

function rotationRefusal(outcome: 'no-such-key' | 'not-active' | 'blocked', keyId: string): string {
  switch (outcome) {
    case 'no-such-key': return `the account has no key ${keyId}`;
    case 'not-active': return `key ${keyId} is revoked or expired already`;
    case 'blocked': return `key ${keyId} is blocked, and its replacement would not be; unblock it first`;
  }
}

export async function rotateKey(session: OperatorSession, idOrEmail: string, keyId: string): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const outcome = await session.keys.rotate({ accountId, keyId: keyId as ApiKeyId, actor: session.actor });
  if (outcome.outcome !== 'rotated') throw new CommandFailure(rotationRefusal(outcome.outcome, keyId));
  const { spending } = await viewKey(session, outcome.issued.key);
  return {
    json: { revoked: keyId, key: encodeIssuedKey(outcome.issued, spending) },
    lines: [`Key ${keyId} is revoked.`, ...issuedKeyLines(outcome.issued)],
  };
}

export async function listKeys(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const { id } = await findAccount(session, idOrEmail);
  const views = await Promise.all((await session.keys.list(id)).map((key) => viewKey(session, key)));
  const now = session.clock.now();
  return {
    json: { keys: views.map((view) => encodeKey(view, now)) },
    lines: table(['ID', 'NAME', 'HINT', 'STATUS', 'CREATED', 'EXPIRES', 'MODELS', 'SPENT'], views.map(({ key, spending }) => [
      key.id, key.name, key.hint, key.blocked ? `${apiKeyState(key, now)}, blocked` : apiKeyState(key, now), rfc3339(key.createdAt),
      key.expiresAt === null ? null : rfc3339(key.expiresAt), modelsText(key), limitText({ key, spending }),
    ])),
  };
}
