import { Page } from '../../components/page';

export function OverviewPage() {
  return <Page title="Overview">{null}</Page>;
}
