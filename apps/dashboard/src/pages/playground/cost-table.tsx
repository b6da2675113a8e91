import { Table } from '@mantine/core';
import { playground as texts } from '#texts/playground';
import type { Reply } from '../../api/call';
import { Amount } from '../../components/amount';
import { exactCount } from '../../format/count';
import { product, total } from '../../format/price';
import type { ModelTurn } from './conversation';

interface CostTableProps {
  readonly turn: ModelTurn | undefined;
  /** The usage record of a reply without a receipt or with a pending one; `undefined` until the charge is booked. */
  readonly ended: Reply<'readUsage'> | undefined;
  readonly promptTokens: number | undefined;
  readonly model: Reply<'listModels'>['data'][number] | undefined;
  /** The available part of the balance, as last read. */
  readonly available: Reply<'account'>['balance']['available'] | undefined;
}

interface LeftProps {
  readonly available: NonNullable<CostTableProps['available']>;
  /** Balance of the receipt, which is newer than `available`; `null` without a receipt. */
  readonly balance: string | null;
  readonly inDollars: (tokens: string) => string;
}

function Left({ available, balance, inDollars }: LeftProps) {
  return balance === null ? <Amount value={available.svc_tokens} usd={available.usd} /> : <Amount value={balance} usd={inDollars(balance)} />;
}

/** Shows an estimate while the reply runs, then the receipt or record. */
export function CostTable({ turn, ended, promptTokens, model, available }: CostTableProps) {
  const receipt = turn?.reply.receipt ?? null;
  const prompt = receipt?.promptTokens ?? ended?.usage.prompt_tokens ?? promptTokens;
  const output = receipt?.outputTokens ?? ended?.usage.output_tokens ?? turn?.reply.pieces;
  const counted = model === undefined || prompt === undefined || turn === undefined ? null : total(product(model.pricing.prompt, String(prompt)), product(model.pricing.output, String(output ?? 0)));
  const charged = ended === undefined ? receipt ?? undefined : { charged: ended.svc_tokens_debited, usd: ended.svc_cost_usd };
  const inDollars = (tokens: string) => product(tokens, model?.pricing.usd_per_service_token ?? '0');
  const cost = charged ?? (counted === null ? null : { charged: counted, usd: inDollars(counted) });
  const isPending = receipt?.isPending === true && ended === undefined;
  const costName = charged === undefined ? texts.cost : isPending ? texts.costPending : texts.costFinal;
  return (
    <Table>
      {turn !== undefined && <Table.Tbody>
        <Table.Tr><Table.Th scope="row" fw={400}>{texts.promptTokens}</Table.Th><Table.Td ta="right" className="num">{prompt === undefined ? '–' : exactCount(prompt)}</Table.Td></Table.Tr>
        <Table.Tr><Table.Th scope="row" fw={400}>{texts.outputTokens}</Table.Th><Table.Td ta="right" className="num">{output === undefined ? '–' : exactCount(output)}</Table.Td></Table.Tr>
        <Table.Tr><Table.Th scope="row" fw={400}>{costName}</Table.Th><Table.Td ta="right">{cost === null ? '–' : <Amount value={cost.charged} usd={cost.usd} full alone />}</Table.Td></Table.Tr>
      </Table.Tbody>}
      <Table.Tfoot>
        <Table.Tr><Table.Th scope="row">{texts.available}</Table.Th><Table.Td ta="right">{available === undefined || isPending ? '–' : <Left available={available} balance={receipt?.balance ?? null} inDollars={inDollars} />}</Table.Td></Table.Tr>
      </Table.Tfoot>
    </Table>
  );
}
