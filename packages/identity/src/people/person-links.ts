import { foldEmail, isMailAddress, type PersonId } from '@tollgate/core';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import type { IssuedToken, IssueTokenCommand } from './person-commands.js';
import type { PersonRecords } from './person-records.js';
import { admitsPerson, type SignUpPolicy } from './sign-up-policy.js';

export interface PersonLinksParts {
  readonly records: PersonRecords;
  readonly tokens: SecretTokens;
  readonly signUp: SignUpPolicy;
}

/** Tokens of links that are mailed to people. */
export class PersonLinks {
  constructor(private readonly parts: PersonLinksParts) {}

  /**
   * Replaces the earlier token for the purpose; only the hash is stored. `null` if the person does not exist, `SIGN_UP` does not admit
   * them, or the new address is invalid. Whether that is taken is checked when `change-email` is redeemed.
   */
  async issueToken({ personId, purpose, expiresAt, at, by, ...rest }: IssueTokenCommand): Promise<IssuedToken | null> {
    const newEmail = 'newEmail' in rest ? rest.newEmail : null;
    if (newEmail !== null && !isMailAddress(newEmail)) return null;
    const record = await this.parts.records.find(personId);
    if (record === null || !admitsPerson(this.parts.signUp, record)) return null;
    const until = record.discardAt === null || expiresAt < record.discardAt ? expiresAt : record.discardAt;
    if (until <= at) return null;
    const { text, hash } = this.parts.tokens.issue();
    const stored = { hash, personId, purpose, newEmail: newEmail === null ? null : foldEmail(newEmail), expiresAt: until, machineId: null };
    return await this.parts.records.putToken(stored, at, by) ? { token: text, expiresAt: until } : null;
  }

  /** False for an invited person without one, and for an unknown person. */
  async hasPassword(id: PersonId): Promise<boolean> {
    return ((await this.parts.records.find(id))?.passwordHash ?? null) !== null;
  }
}
