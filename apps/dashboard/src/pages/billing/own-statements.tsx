import { statements as texts } from '#texts/statements';
import { addressOf } from '../../api/call';
import { useRouteList } from '../../api/use-route';
import { Card } from '../../components/card';
import { StatementTable, type StatementFormat } from '../statements/statement-table';
import classes from './billing.module.css';

function ownAddress(number: number, format: StatementFormat): string {
  return addressOf('downloadStatement', { params: { number, format } });
}

export function OwnStatements() {
  const list = useRouteList('listStatements', {});
  return (
    <div id="statements">
      <Card title={texts.title}>
        <p className={classes['help']}>{texts.help} {texts.notAnInvoice}</p>
        <StatementTable list={list} addressOf={ownAddress} />
      </Card>
    </div>
  );
}
