import { type AuditedBy, foldEmail, later, MILLISECONDS_PER_MINUTE, newAccount, type PersonId, type PlanId, requireDisplayName } from '@tollgate/core';
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
  /** A valid address; this class folds it. */
  readonly email: string;
  readonly name: string;
  /** Plan of a new account. */
  readonly planId: PlanId;
  readonly by: AuditedBy;
}

/** The command that pages show while there is no operator; it is run on the machine of the gateway. */
export const FIRST_OPERATOR_COMMAND = 'tollgate operators create EMAIL';

/** Default lifetime of a link by which an operator signs in. */
export const OPERATOR_LINK_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;

/**
 * Appoints and dismisses operators, and issues their links. The command line vouches for the address of an operator, so no link verifies it and no
 * sign-up policy applies.
 */
export class Operators {
  constructor(private readonly ports: OperatorsPorts) {}

  /**
   * Makes a person an operator, and creates person and account if they are missing. Removes credentials that a stranger may have prepared under an
   * unverified address. Idempotent. Throws `invalid_request` for an invalid name.
   */
  async appoint({ email, name, planId, by }: AppointCommand): Promise<Person> {
    requireDisplayName(name);
    const { records, ids } = this.ports;
    const draft: Person = { id: ids.personId(), accountId: null, email: foldEmail(email), emailVerified: false, name, role: 'owner', factors: [], language: null, createdAt: by.at };
    const account = newAccount({ id: ids.accountId(), email: draft.email, name, planId, emailVerified: false, createdAt: by.at });
    const { id } = await records.register({ person: draft, passwordHash: null, account }, by);
    await records.vouch(id, account, by);
    await records.setRole(id, 'operator', by);
    return (await records.find(id))?.person ?? draft;
  }

  /** Single-use sign-in token; replaces the person's earlier one. `null` if the person does not exist. */
  async issueLink(id: PersonId, by: AuditedBy, lifetimeMilliseconds = OPERATOR_LINK_MILLISECONDS): Promise<string | null> {
    const { text, hash } = this.ports.tokens.issue();
    const stored = { hash, personId: id, purpose: 'sign-in', newEmail: null, expiresAt: later(by.at, lifetimeMilliseconds), machineId: null } as const;
    return await this.ports.records.putToken(stored, by.at, by) ? text : null;
  }

  /** Removes the factors of an operator who has lost them, ends the sessions, mails a notice. False if the operator has no factor. */
  removeFactors(person: Person, notices: FactorNotices, by: AuditedBy): Promise<boolean> {
    return this.ports.records.removeFactors(person.id, notices.of(person, 'factors-removed', by.at), by);
  }

  list(): Promise<readonly Person[]> {
    return this.ports.records.listByRole('operator');
  }

  /** Takes the role from an operator, who stays an owner. Refused for the last operator. */
  dismiss(id: PersonId, by: AuditedBy): Promise<SetRoleOutcome> {
    return this.ports.records.setRole(id, 'owner', by);
  }
}
