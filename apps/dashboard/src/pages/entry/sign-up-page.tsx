import { Page } from '../../components/page';

export function SignUpPage() {
  return <Page title="Create account">{null}</Page>;
}
