import { Page } from '../../../components/page';

export function AnyRecordPage() {
  return <Page title="Request">{null}</Page>;
}
