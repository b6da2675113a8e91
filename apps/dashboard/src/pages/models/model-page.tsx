import { Page } from '../../components/page';

export function ModelPage() {
  return <Page title="Model">{null}</Page>;
}
