import type { AuditedBy, Instant, PersonId } from '@tollgate/core';
import type { PersonRecords } from './person-records.js';
import type { Person } from './person.js';

export type ConsentDocument = 'terms' | 'privacy';

/** A version of a document that a person agreed to. */
export interface Consent {
  readonly document: ConsentDocument;
  readonly version: string;
  readonly at: Instant;
}

/** A document whose version in force the operator publishes. */
export interface PublishedDocument {
  readonly document: ConsentDocument;
  readonly version: string;
  readonly url: string;
}

export interface MissingConsent extends PublishedDocument {
  /** The version that the person last agreed to; `null` if there is none. */
  readonly agreedVersion: string | null;
}

/** Consents to the terms and the privacy notice: every owner agrees to the versions in force before anything else in the dashboard. */
export class Consents {
  constructor(private readonly records: Pick<PersonRecords, 'consents' | 'agree'>, private readonly published: readonly PublishedDocument[]) {}

  /** Consents to versions in force that the person has not given. None for operators: they act for the installation that publishes the documents. */
  async missing({ id, role }: Person): Promise<readonly MissingConsent[]> {
    if (this.published.length === 0 || role === 'operator') return [];
    const given = await this.records.consents(id);
    return this.published
      .filter(({ document, version }) => !given.some((one) => one.document === document && one.version === version))
      .map((asked) => ({ ...asked, agreedVersion: given.findLast(({ document }) => document === asked.document)?.version ?? null }));
  }

  /** The person's consents, oldest first. */
  given(id: PersonId): Promise<readonly Consent[]> {
    return this.records.consents(id);
  }

  /** False, without effect, unless the person was shown all versions whose consents are missing. Repeated calls have no further effect. */
  async agree(person: Person, shown: Readonly<Partial<Record<ConsentDocument, string>>>, by: AuditedBy): Promise<boolean> {
    const missing = await this.missing(person);
    if (missing.some(({ document, version }) => shown[document] !== version)) return false;
    await this.records.agree(person.id, missing, by);
    return true;
  }
}
