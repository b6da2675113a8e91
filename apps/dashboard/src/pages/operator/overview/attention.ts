import { operatorOverview as texts } from '#texts/operator-overview';
import type { Reply } from '../../../api/call';

type Upstreams = Reply<'listUpstreams'>['data'];

/** Something that an operator acts on, and the page for it. */
interface Concern {
  readonly text: string;
  readonly to: '/operator/upstreams' | '/operator/books' | '/operator/payments';
}

interface Observed {
  readonly upstreams: Upstreams;
  readonly checks: Pick<Reply<'ledgerChecks'>, 'failures' | 'settlements_waiting'> & { readonly last: { readonly differences: number } | null };
  readonly payments: Pick<Reply<'readPaymentHealth'>, 'unbookable' | 'uncovered'>;
}

/** The most urgent first: what stops requests, then what concerns money. */
export function concernsOf({ upstreams, checks, payments }: Observed): readonly Concern[] {
  const failing = upstreams.flatMap(({ id, models }) => models.filter(({ circuit }) => circuit === 'open').map(({ model }): Concern => ({ text: texts.upstreamFails(id, model), to: '/operator/upstreams' })));
  const counts: readonly (readonly [count: number, text: (count: number) => string, to: Concern['to']])[] = [
    [checks.settlements_waiting, texts.settlements, '/operator/books'],
    [checks.last?.differences ?? 0, texts.booksDiffer, '/operator/books'],
    [checks.failures, texts.booksFail, '/operator/books'],
    [payments.unbookable, texts.unbookable, '/operator/payments'],
    [payments.uncovered, texts.uncovered, '/operator/payments'],
  ];
  return [...failing, ...counts.filter(([count]) => count > 0).map(([count, text, to]) => ({ text: text(count), to }))];
}

/** `failing` if a model of the upstream does not answer, `answering` only if a model has answered a call. */
export function stateOf(models: Upstreams[number]['models']): 'failing' | 'answering' | 'not-tried' {
  if (models.some(({ circuit }) => circuit === 'open')) return 'failing';
  return models.some(({ last_success_at: success }) => success !== null) ? 'answering' : 'not-tried';
}
