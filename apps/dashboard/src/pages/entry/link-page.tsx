import { Page } from '../../components/page';

export function LinkPage() {
  return <Page title="Sign in">{null}</Page>;
}
