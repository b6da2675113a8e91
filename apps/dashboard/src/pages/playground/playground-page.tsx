import { Page } from '../../components/page';

export function PlaygroundPage() {
  return <Page title="Playground">{null}</Page>;
}
