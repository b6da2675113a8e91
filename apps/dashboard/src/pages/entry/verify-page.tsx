import { Page } from '../../components/page';

export function VerifyPage() {
  return <Page title="Confirm your address">{null}</Page>;
}
