import { Page } from '../../../components/page';

export function UpstreamsPage() {
  return <Page title="Upstreams">{null}</Page>;
}
