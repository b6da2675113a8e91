import { Table } from '@mantine/core';
import { common } from '#texts/common';
import { usage } from '#texts/usage';
import { Amount } from '../../components/amount';
import { CheckIcon } from '../../components/icons';
import { Instant } from '../../components/instant';
import { isZero } from '../../format/amount';
import { RecordTitle } from './record-title';
import type { UsageDetail } from './usage-rows';
import classes from './record.module.css';

const texts = usage.record;

export function LedgerEntries({ record: { ledger, charge } }: { readonly record: UsageDetail }) {
  return (
    <section aria-label={texts.ledgerTitle}>
      <RecordTitle>{texts.ledgerTitle} {ledger.length > 0 && <span className={classes['good']}><CheckIcon /></span>}</RecordTitle>
      {ledger.length === 0 && <p className={classes['help']}>{isZero(charge.computed) ? texts.noEntry : texts.notYet}</p>}
      {ledger.length > 0 && (
        <Table verticalSpacing={6} horizontalSpacing={8} className={classes['charge'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.kind}</Table.Th>
              <Table.Th scope="col">{texts.at}</Table.Th>
              <Table.Th scope="col">{texts.reference}</Table.Th>
              <Table.Th scope="col" className={classes['right']}>{texts.amount}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ledger.map(({ kind, amount, reference, at }) => (
              <Table.Tr key={`${kind} ${at} ${reference}`}>
                <Table.Td>{texts.kinds[kind]}</Table.Td>
                <Table.Td data-label={texts.at}><Instant at={at} precise /></Table.Td>
                <Table.Td data-label={texts.reference} className={classes['reference']}>{reference ?? common.none}</Table.Td>
                <Table.Td data-label={texts.amount} className={classes['right']}><Amount form="column" value={amount} /></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}
