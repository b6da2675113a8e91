import { Page } from '../../../components/page';

export function BlocklistsPage() {
  return <Page title="Blocklists">{null}</Page>;
}
