import { Table } from '@mantine/core';
import { usage } from '#texts/usage';
import { Amount } from '../../components/amount';
import { Card } from '../../components/card';
import { TextLink } from '../../components/link';
import { exactCount } from '../../format/count';
import { GroupSelect } from './group-select';
import type { SumsProps } from './usage-sums';
import type { SumBucket, UsageSums } from './usage-rows';
import classes from './usage.module.css';

const texts = usage.chart;

/** Sums by user over the whole period. */
export function UserSums({ sums, scope, search, onSearch }: SumsProps & { readonly sums: UsageSums }) {
  return (
    <Card title={texts.userTable} aside={<GroupSelect scope={scope} search={search} value="user" onChange={(group) => onSearch({ group })} />}>
      <p className={classes['help']}>{texts.userTableHelp}</p>
      <div className={classes['users']}>
        <Table verticalSpacing={6} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{usage.filters.user}</Table.Th>
              <Table.Th scope="col" className={classes['right']}>{usage.sums.requests}</Table.Th>
              <Table.Th scope="col" className={classes['right']}>{usage.sums.charged}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sums.data.map((bucket) => (
              <Table.Tr key={`${bucket.is_other} ${bucket.group}`}>
                <Table.Th scope="row" className={classes['user']}><UserName bucket={bucket} search={{ ...search, group: 'user' }} scope={scope} /></Table.Th>
                <Table.Td className={classes['right']}>{exactCount(bucket.requests)}</Table.Td>
                <Table.Td className={classes['right']}><Amount value={bucket.svc_tokens_debited} usd={bucket.svc_cost_usd} /></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row">{texts.total}</Table.Th>
              <Table.Td className={classes['right']}>{exactCount(sums.total.requests)}</Table.Td>
              <Table.Td className={classes['right']}><Amount value={sums.total.svc_tokens_debited} usd={sums.total.svc_cost_usd} /></Table.Td>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </div>
    </Card>
  );
}

function UserName({ bucket: { group, groups, is_other: isOther }, search, scope }: { readonly bucket: SumBucket } & Pick<SumsProps, 'search' | 'scope'>) {
  if (isOther) return texts.other(groups);
  if (group === null) return texts.noUser;
  const ofUser = { ...search, user: group };
  return scope === 'own' ? <TextLink to="/usage" search={ofUser}>{group}</TextLink> : <TextLink to="/operator/usage" search={ofUser}>{group}</TextLink>;
}
