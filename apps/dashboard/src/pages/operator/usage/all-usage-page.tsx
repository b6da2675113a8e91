import { Page } from '../../../components/page';

export function AllUsagePage() {
  return <Page title="Usage">{null}</Page>;
}
