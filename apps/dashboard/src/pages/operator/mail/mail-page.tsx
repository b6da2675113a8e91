import { Page } from '../../../components/page';

export function MailPage() {
  return <Page title="Mail">{null}</Page>;
}
