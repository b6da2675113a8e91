import { Page } from '../../components/page';

export function KeyPage() {
  return <Page title="Key">{null}</Page>;
}
