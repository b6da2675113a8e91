import { Page } from '../../components/page';

export function SignInPage() {
  return <Page title="Sign in">{null}</Page>;
}
