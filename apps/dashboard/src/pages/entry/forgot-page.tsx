import { Page } from '../../components/page';

export function ForgotPage() {
  return <Page title="Reset your password">{null}</Page>;
}
