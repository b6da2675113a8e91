import { statements as texts } from '#texts/statements';
import { addressOf } from '../../../../api/call';
import { useRouteList } from '../../../../api/use-route';
import { StatementTable, type StatementFormat } from '../../../statements/statement-table';
import type { AccountDetail } from '../acts/account-data';

function anyAddress(number: number, format: StatementFormat): string {
  return addressOf('downloadAnyStatement', { params: { number, format } });
}

export function StatementsTab({ account: { id } }: { readonly account: AccountDetail }) {
  const list = useRouteList('listAllStatements', { query: { account: id } });
  return (
    <>
      <div className="muted">{texts.help}</div>
      <StatementTable list={list} addressOf={anyAddress} />
    </>
  );
}
