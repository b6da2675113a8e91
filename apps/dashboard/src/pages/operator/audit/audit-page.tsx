import { Page } from '../../../components/page';

export function AuditPage() {
  return <Page title="Audit">{null}</Page>;
}
