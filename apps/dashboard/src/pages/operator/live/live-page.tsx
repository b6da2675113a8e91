import { Page } from '../../../components/page';

export function LivePage() {
  return <Page title="Live">{null}</Page>;
}
