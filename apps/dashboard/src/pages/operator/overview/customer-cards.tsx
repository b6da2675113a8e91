import { Table } from '@mantine/core';
import { operatorOverview as texts } from '#texts/operator-overview';
import { useRoute } from '../../../api/use-route';
import { AccountName } from '../../../components/account-name';
import { Amount } from '../../../components/amount';
import { Card } from '../../../components/card';
import { TextLink } from '../../../components/link';
import { Part } from '../../../components/part';
import { Status } from '../../../components/status';
import { isZero } from '../../../format/amount';
import { shareOf } from '../../../format/geometry';
import { type AccountsSearch, accountsQuery } from '../accounts/account-filters';
import classes from './overview.module.css';
import { useSums } from './use-sums';

const MOST = 5;
const CARD_HEIGHT = 220;
/** Balance in service tokens below which customers are listed. */
const LOW = '1000';
const LOW_SEARCH: AccountsSearch = { used: 'used-7', below: LOW, sort: 'available' };

/** A bar whose length is the value's share of the largest value. */
function Share({ of, largest }: { readonly of: string; readonly largest: string }) {
  return <svg className={classes['share']} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width={shareOf(of, largest) * 100} height="6" /></svg>;
}

export function BusiestCustomers({ today }: { readonly today: string }) {
  const query = useSums(today, today, { group_by: 'account', top: MOST });
  return (
    <Card title={texts.customers} aside={<TextLink to="/operator/usage" search={{ start: today, end: today, group: 'account' }}>{texts.allUsage}</TextLink>}>
      <Part query={query} height={CARD_HEIGHT}>
        {({ data }) => (data.length === 0 ? <span className="muted">{texts.noCustomers}</span> : (
          <Table className={classes['customers'] ?? ''}>
            <Table.Tbody>
              {data.map(({ group, is_other: isOther, groups, svc_tokens_debited: charged, svc_cost_usd: usd }) => (
                <Table.Tr key={group ?? ''}>
                  <Table.Th scope="row">{isOther || group === null ? texts.others(groups) : <AccountName id={group} />}<Share of={charged} largest={data[0]?.svc_tokens_debited ?? charged} /></Table.Th>
                  <Table.Td ta="right"><Amount value={charged} usd={usd} /></Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ))}
      </Part>
    </Card>
  );
}

/** Customers with a request in the last seven days and an available balance below `LOW`. */
export function LowCustomers({ today }: { readonly today: string }) {
  const query = useRoute('listAccounts', { query: { ...accountsQuery(LOW_SEARCH, today), limit: MOST } });
  return (
    <Card title={texts.low} aside={<TextLink to="/operator/accounts" search={LOW_SEARCH}>{texts.allCustomers}</TextLink>}>
      <Part query={query} height={CARD_HEIGHT}>
        {({ data }) => (data.length === 0 ? <span className="muted">{texts.noneLow}</span> : (
          <Table className={classes['customers'] ?? ''}>
            <Table.Tbody>
              {data.map(({ id, name, email, balance: { available } }) => (
                <Table.Tr key={id}>
                  <Table.Th scope="row"><TextLink to="/operator/accounts/$id" params={{ id }} title={email}><bdi>{name}</bdi></TextLink></Table.Th>
                  <Table.Td>{isZero(available.svc_tokens) ? <Status value="used-up" tone="bad" /> : <Status value={texts.isLow} tone="warning" />}</Table.Td>
                  <Table.Td ta="right"><Amount value={available.svc_tokens} usd={available.usd} /></Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ))}
      </Part>
    </Card>
  );
}
