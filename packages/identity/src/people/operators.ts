import { type AuditedBy, foldEmail, later, MILLISECONDS_PER_MINUTE, type PersonId, type PlanId, requireDisplayName } from '@tollgate/core';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import type { FactorNotices } from './factor-notices.js';
import type { PersonRecords, SetRoleOutcome } from './person-records.js';
import type { Person } from './person.js';

export interface OperatorsPorts {
  readonly records: PersonRecords;
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
}

export interface AppointCommand {
  /** Checked by the caller; folded here. */
  readonly email: string;
  readonly name: string;
  /** The plan of the account, where none with the address exists. */
  readonly planId: PlanId;
  readonly by: AuditedBy;
}

/** How long a link that an operator makes for an operator lives. */
export const OPERATOR_LINK_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;

/**
 * Operators, appointed on the machine itself. The command vouches for the address, so that no mail is needed, and no policy
 * on sign-ups is asked.
 */
export class Operators {
  constructor(private readonly ports: OperatorsPorts) {}

  /**
   * Makes the person with this address an operator; creates person and account if they do not exist. What another person may have
   * prepared under an address that was not verified, a password above all, is removed. Repeating it changes nothing.
   * Throws `invalid_request` for a name that is none.
   */
  async appoint({ email, name, planId, by }: AppointCommand): Promise<Person> {
    requireDisplayName(name);
    const { records, ids } = this.ports;
    const draft: Person = { id: ids.personId(), accountId: null, email: foldEmail(email), emailVerified: false, name, role: 'owner', factors: [], createdAt: by.at };
    const account = {
      id: ids.accountId(), email: draft.email, name, planId, status: 'active', emailVerified: false, blocked: false, deletion: null, createdAt: by.at,
    } as const;
    const { id } = await records.register({ person: draft, passwordHash: null, account }, by);
    await records.vouch(id, account, by);
    await records.setRole(id, 'operator', by);
    return (await records.find(id))?.person ?? draft;
  }

  /** A token that signs the person in once; it replaces the person's earlier one. `null` when there is no such person. */
  async issueLink(id: PersonId, by: AuditedBy, lifetimeMilliseconds = OPERATOR_LINK_MILLISECONDS): Promise<string | null> {
    const { text, hash } = this.ports.tokens.issue();
    const stored = { hash, personId: id, purpose: 'sign-in', newEmail: null, expiresAt: later(by.at, lifetimeMilliseconds) } as const;
    return await this.ports.records.putToken(stored, by.at, by) ? text : null;
  }

  /** For an operator who has lost every second factor: removes them, ends the sessions and tells the operator by mail. `false` where there was none. */
  removeFactors(person: Person, notices: FactorNotices, by: AuditedBy): Promise<boolean> {
    return this.ports.records.removeFactors(person.id, notices.of(person, 'factors-removed', by.at), by);
  }

  list(): Promise<readonly Person[]> {
    return this.ports.records.listByRole('operator');
  }

  /** The person stays an owner; the last operator stays one. */
  dismiss(id: PersonId, by: AuditedBy): Promise<SetRoleOutcome> {
    return this.ports.records.setRole(id, 'owner', by);
  }
}
