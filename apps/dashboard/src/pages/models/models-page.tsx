import { Page } from '../../components/page';

export function ModelsPage() {
  return <Page title="Models">{null}</Page>;
}
