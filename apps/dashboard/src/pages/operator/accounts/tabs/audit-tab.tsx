import { tabs } from '#texts/operator-accounts';
import { AuditList } from '../../audit/audit-list';
import type { AccountDetail } from '../acts/account-data';

export function AuditTab({ account: { id, email, person } }: { readonly account: AccountDetail }) {
  return <AuditList label={tabs.audit} query={{ account: id }} owner={person === null ? null : { id: person.id, email }} />;
}
