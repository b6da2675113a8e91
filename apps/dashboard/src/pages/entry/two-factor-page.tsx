import { Page } from '../../components/page';

export function TwoFactorPage() {
  return <Page title="Second factor">{null}</Page>;
}
