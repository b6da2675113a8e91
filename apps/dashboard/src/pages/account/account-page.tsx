import { Page } from '../../components/page';

export function AccountPage() {
  return <Page title="Account">{null}</Page>;
}
