import { Page } from '../../../components/page';

export function OperatorAccountPage() {
  return <Page title="Account">{null}</Page>;
}
