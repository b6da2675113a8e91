import type { AuditedBy, PersonId } from '@tollgate/core';
import type { Consent, ConsentDocument } from '@tollgate/identity';
import { instantFromColumn } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import type { Queries } from '../script/queries.js';
import { changesOf, rowsOf, type Script } from '../script/script.js';
import { auditPerson } from './audit-person.js';
import { findPerson } from './person-rows.js';

/** Consents of the person, from oldest to newest. */
export function* readConsents(queries: Queries, id: PersonId): Script<readonly Consent[]> {
  const rows = yield* rowsOf(queries.selectFrom('consents').select(['document', 'version', 'agreed_at']).where('person_id', '=', id)
    .orderBy('agreed_at').orderBy('document').orderBy('version'));
  return rows.map(({ document, version, agreed_at: at }) => ({ document: document as ConsentDocument, version, at: instantFromColumn(at) }));
}

/** Stores consents. Only new versions get an audit entry. */
export function* storeConsents(queries: Queries, { id, versions }: { readonly id: PersonId; readonly versions: readonly Pick<Consent, 'document' | 'version'>[] }, by: AuditedBy): Script<void> {
  if ((yield* findPerson(queries, id)) === null) return;
  const agreed: Partial<Record<ConsentDocument, string>> = {};
  for (const { document, version } of versions) {
    const stored = yield* changesOf(queries.insertInto('consents').values({ person_id: id, document, version: storableText(version), agreed_at: by.at })
      .onConflict((conflict) => conflict.columns(['person_id', 'document', 'version']).doNothing()));
    if (stored > 0) agreed[document] = version;
  }
  if (Object.keys(agreed).length > 0) yield* auditPerson(queries, { action: 'agreed', id, details: agreed }, by);
}
