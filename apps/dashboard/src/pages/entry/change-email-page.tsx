import { Page } from '../../components/page';

export function ChangeEmailPage() {
  return <Page title="Change of address">{null}</Page>;
}
