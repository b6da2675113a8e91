import { Page } from '../../components/page';

export function InvitePage() {
  return <Page title="Accept the invitation">{null}</Page>;
}
