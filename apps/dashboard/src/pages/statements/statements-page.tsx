import { statements as texts } from '#texts/statements';
import { addressOf } from '../../api/call';
import { useRouteList } from '../../api/use-route';
import { Page } from '../../components/page';
import { StatementTable, type StatementFormat } from './statement-table';

function ownAddress(number: number, format: StatementFormat): string {
  return addressOf('downloadStatement', { params: { number, format } });
}

export function StatementsPage() {
  const list = useRouteList('listStatements', {});
  return (
    <Page title={texts.title} help={`${texts.help} ${texts.notAnInvoice}`}>
      <StatementTable list={list} addressOf={ownAddress} />
    </Page>
  );
}
