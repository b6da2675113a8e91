import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { usage } from '#texts/usage';
import { Amount, Dollars } from '../../components/amount';
import { Coin } from '../../components/coin';
import { exactAmount, isZero, dollars } from '../../format/amount';
import { exactCount } from '../../format/count';
import { perMillion } from '../../format/price';
import { RecordTitle } from './record-title';
import type { UsageDetail } from './usage-rows';
import classes from './record.module.css';

const texts = usage.record;

function SumRow({ name, children, strong = false }: { readonly name: ReactNode; readonly children: ReactNode; readonly strong?: boolean }) {
  return (
    <Table.Tr className={strong ? classes['strong'] : classes['sum']}>
      <Table.Th scope="row" colSpan={3}>{name}</Table.Th>
      <Table.Td className={classes['right']}>{children}</Table.Td>
    </Table.Tr>
  );
}

/** Tokens times rate per class, sum, rounding, debited amount. */
export function ChargeTable({ record: { charge, usage: tokens } }: { readonly record: UsageDetail }) {
  return (
    <section aria-label={texts.chargeTitle}>
      <RecordTitle>{texts.chargeTitle}</RecordTitle>
      <Table verticalSpacing={6} horizontalSpacing={8} className={classes['charge'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.tokenClass}</Table.Th>
            <Table.Th scope="col" className={classes['right']}>{texts.tokens}</Table.Th>
            <Table.Th scope="col" className={classes['right']}>{texts.rate}</Table.Th>
            <Table.Th scope="col" className={classes['right']}>{texts.amount}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {charge.lines.map(({ token_class: name, tokens: count, rate, amount }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">
                {texts.classes[name]}
                {name === 'output' && tokens.reasoning_tokens > 0 && <div className="muted">{texts.reasoning(exactCount(tokens.reasoning_tokens))}</div>}
              </Table.Th>
              <Table.Td data-label={texts.tokens} className={classes['right']}>{exactCount(count)}</Table.Td>
              <Table.Td data-label={texts.rate} className={classes['right']} title={rate}><Coin />{exactAmount(perMillion(rate, charge.usd_per_service_token).tokens)}</Table.Td>
              <Table.Td data-label={texts.amount} className={classes['right']}><Amount form="column" value={amount} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <SumRow name={texts.sum}><Amount form="column" value={charge.sum} /></SumRow>
          <SumRow name={<>{texts.rounding} <span className="muted">({texts.roundingRule})</span></>}><Amount form="column" value={charge.rounding} /></SumRow>
          {(!isZero(charge.written_off) || charge.purchase !== null) && <SumRow name={texts.computed}><Amount form="column" value={charge.computed} /></SumRow>}
          {!isZero(charge.written_off) && <SumRow name={texts.writtenOff}><Amount form="column" value={charge.written_off} /></SumRow>}
          {charge.purchase !== null && <SumRow name={texts.chargedWith(charge.purchase.first_request_id)}><Amount form="column" value={charge.purchase.charged_with_other_requests} /></SumRow>}
          <SumRow name={texts.debited} strong><Amount form="column" value={charge.debited} /></SumRow>
          <SumRow name={<>{texts.usd} <span className="muted">{texts.usdRate(dollars(charge.usd_per_service_token))}</span></>}><Dollars value={charge.usd} /></SumRow>
        </Table.Tfoot>
      </Table>
    </section>
  );
}
