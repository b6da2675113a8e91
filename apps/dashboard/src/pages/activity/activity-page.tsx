import { Page } from '../../components/page';

export function ActivityPage() {
  return <Page title="Activity">{null}</Page>;
}
