import { Page } from '../../../components/page';

export function IncidentsPage() {
  return <Page title="Incidents">{null}</Page>;
}
