import { foldEmail, isMailAddress, type PersonId } from '@tollgate/core';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import type { IssuedToken, IssueTokenCommand } from './person-commands.js';
import type { PersonRecords, StoredToken } from './person-records.js';
import { admitsPerson, type SignUpPolicy } from './sign-up-policy.js';

export interface PersonLinksParts {
  readonly records: PersonRecords;
  readonly tokens: SecretTokens;
  readonly signUp: SignUpPolicy;
}

export interface TokenDraft {
  readonly stored: StoredToken;
  readonly issued: IssuedToken;
}

/** Tokens of links that are mailed to people. */
export class PersonLinks {
  constructor(private readonly parts: PersonLinksParts) {}

  /**
   * Replaces the earlier token for the purpose; only the hash is stored. `null` if the person does not exist or is due to be removed, `SIGN_UP` does
   * not admit them, or the new address is invalid. An unverified person's token expires at the latest when the person is removed. Whether the new
   * address is taken is checked when `change-email` is redeemed.
   */
  async issueToken(command: IssueTokenCommand): Promise<IssuedToken | null> {
    const draft = await this.draftToken(command);
    return draft !== null && await this.parts.records.putToken(draft.stored, command.at, command.by) ? draft.issued : null;
  }

  /** Like `issueToken`, for a caller that stores the token itself, in one transaction with something else. */
  async draftToken({ personId, purpose, expiresAt, at, ...rest }: IssueTokenCommand): Promise<TokenDraft | null> {
    const newEmail = 'newEmail' in rest ? rest.newEmail : null;
    if (newEmail !== null && !isMailAddress(newEmail)) return null;
    const record = await this.parts.records.find(personId);
    if (record === null || !admitsPerson(this.parts.signUp, record)) return null;
    const until = record.discardAt === null || expiresAt < record.discardAt ? expiresAt : record.discardAt;
    if (until <= at) return null;
    const { text, hash } = this.parts.tokens.issue();
    const stored = { hash, personId, purpose, newEmail: newEmail === null ? null : foldEmail(newEmail), expiresAt: until, machineId: null };
    return { stored, issued: { token: text, expiresAt: until } };
  }

  /** False for an invited person who has not set a password, and for an unknown person. */
  async hasPassword(id: PersonId): Promise<boolean> {
    return ((await this.parts.records.find(id))?.passwordHash ?? null) !== null;
  }
}
