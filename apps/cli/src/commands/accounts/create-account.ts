import { type Account, type IssuedKey, type ServiceTokens, assertNever } from '@tollgate/core';
import { encodeAccount } from '../../encoding/encode-account.js';
import { encodeIssuedKey, issuedKeyLines } from '../../encoding/encode-key.js';
import { CommandFailure, misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { findPlan, present } from '../../values/find-account.js';
import { creditOf, newReference } from './credit-account.js';
import { accountLines } from './show-accounts.js';

export interface CreateAccountOptions {
  readonly email: string;
  readonly name: string;
  readonly plan: string;
  readonly credit?: ServiceTokens;
  readonly reference?: string;
  readonly unverified?: true;
}

const FIRST_KEY_NAME = 'first key';

/** An account, what it begins with, and a key to begin with. */
export async function createAccount(session: OperatorSession, options: CreateAccountOptions): Promise<Report> {
  const account = await newAccount(session, options);
  const { credit } = options;
  if (credit !== undefined && !credit.isZero()) {
    await creditOf(session, account, { amount: credit, reference: options.reference ?? newReference(session), reason: null });
  }
  const issued = await firstKey(session, account);
  const balance = present(await session.store.ledger.balanceOf(account.id), 'the new account\'s balance');
  return {
    json: { account: encodeAccount(account, balance), key: encodeIssuedKey(issued) },
    lines: [...accountLines(account, balance), '', ...issuedKeyLines(issued)],
  };
}

async function newAccount(session: OperatorSession, { email, name, plan, unverified }: CreateAccountOptions): Promise<Account> {
  const outcome = await session.accounts.create({
    email, name, planId: findPlan(session, plan).id, emailVerified: unverified !== true, actor: session.actor,
  });
  switch (outcome.outcome) {
    case 'created': return outcome.account;
    case 'email-taken': throw new CommandFailure(`there is an account with the address ${email} already`);
    case 'email-malformed': throw misuse(`option '--email <address>' is no e-mail address: ${email}`);
    case 'no-such-plan': throw misuse(`there is no plan ${plan}`);
    default: return assertNever(outcome);
  }
}

async function firstKey(session: OperatorSession, account: Account): Promise<IssuedKey> {
  const outcome = await session.keys.create({
    accountId: account.id, plan: findPlan(session, account.planId), name: FIRST_KEY_NAME, expiresAt: null, actor: session.actor,
  });
  if (outcome.outcome !== 'created') throw new CommandFailure(`account ${account.id} is made, but its first key is not: ${outcome.outcome}`);
  return outcome.issued;
}
