import { Page } from '../../components/page';

export function ResetPage() {
  return <Page title="Choose a new password">{null}</Page>;
}
