import type { ApiKeyId } from '@tollgate/core';
import { encodeKey } from '../../encoding/encode-key.js';
import { CommandFailure } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findAccount, present } from '../../values/find-account.js';
import { type BlockOptions, blockTermsOf } from '../platform/blocks.js';
import { viewKey } from '../../values/view-key.js';

export async function revokeKey(session: OperatorSession, idOrEmail: string, key: string): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const revoked = await session.keys.revoke(accountId, key as ApiKeyId, session.actor);
  if (!revoked) throw new CommandFailure(`the account has no key ${key}, or it is revoked already`);
  const found = present(await session.store.keys.findById(accountId, key as ApiKeyId), 'the revoked key');
  return { json: { key: encodeKey(await viewKey(session, found), session.clock.now()) }, lines: [`Key ${key} is revoked.`] };
}

interface KeyBlocking { readonly key: string; readonly state: 'blocked' | 'unblocked'; readonly options: BlockOptions }

export async function blockKey(session: OperatorSession, idOrEmail: string, { key, state, options }: KeyBlocking): Promise<Report> {
  const { id: accountId } = await findAccount(session, idOrEmail);
  const changed = await session.store.keys.setBlocked(accountId, key as ApiKeyId, state === 'blocked', { ...session.act(), ...blockTermsOf(options, session) });
  if (!changed) throw new CommandFailure(`the account has no key ${key}`);
  const found = present(await session.store.keys.findById(accountId, key as ApiKeyId), 'the changed key');
  return { json: { key: encodeKey(await viewKey(session, found), session.clock.now()) }, lines: [`Key ${key} is ${state}.`] };
}
