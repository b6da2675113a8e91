import { type Account, type AuditedBy, type Instant, later, type MachineId } from '@tollgate/core';
import type { MachineLinkRefusal, PersonRecords } from '../people/person-records.js';
import { TOKEN_LIFETIMES } from '../people/person.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';

export interface SignInLinksParts {
  readonly records: Pick<PersonRecords, 'putMachineLink'>;
  readonly tokens: Pick<SecretTokens, 'issue'>;
}

export type SignInLinkOutcome =
  /** The token can be read only here. */
  | { readonly outcome: 'issued'; readonly token: string; readonly expiresAt: Instant }
  | { readonly outcome: MachineLinkRefusal };

/** Links with which a machine signs the owner of an account in to the dashboard. Each works once, within its lifetime in `TOKEN_LIFETIMES`. */
export class SignInLinks {
  constructor(private readonly parts: SignInLinksParts) {}

  /** Replaces an unused link of the account. Only the hash is stored. */
  async issue({ id: accountId, status }: Pick<Account, 'id' | 'status'>, machineId: MachineId, by: AuditedBy): Promise<SignInLinkOutcome> {
    if (status === 'deleted') return { outcome: 'deleted' };
    const { records, tokens } = this.parts;
    const { text, hash } = tokens.issue();
    const expiresAt = later(by.at, TOKEN_LIFETIMES['machine-sign-in']);
    const outcome = await records.putMachineLink({ accountId, hash, machineId, expiresAt }, by);
    return outcome === 'issued' ? { outcome, token: text, expiresAt } : { outcome };
  }
}
