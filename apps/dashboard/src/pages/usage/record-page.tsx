import { Page } from '../../components/page';

export function RecordPage() {
  return <Page title="Request">{null}</Page>;
}
