import type { MailRepetition, MailStoring, StoredMail } from '@tollgate/identity';
import type { Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { auditPerson } from './audit-person.js';
import { findPerson } from './person-rows.js';
import { putToken } from './person-tokens.js';
import { storeMailWithin } from './store-mail.js';

export function* storeMailAgain(queries: Queries, mail: StoredMail, { of, personId, token, pace, by }: MailRepetition): Script<MailStoring | 'too-many' | 'no-person'> {
  if ((yield* findPerson(queries, personId)) === null) return 'no-person';
  const outcome = yield* storeMailWithin(queries, mail, pace);
  if (outcome !== 'stored') return outcome;
  if (token !== null) yield* putToken(queries, token, { at: by.at });
  yield* auditPerson(queries, { action: 'mailed-again', id: personId, details: { kind: mail.kind, mail: mail.id, of } }, by);
  return outcome;
}
