import { playground as texts } from '#texts/playground';
import { Amount } from '../../components/amount';
import { exactCount } from '../../format/count';
import { duration } from '../../format/duration';
import { useModelNames } from '../models/model-names';
import { type Comparison, comparisonOf, measuredOf } from './comparison';
import classes from './playground.module.css';
import type { Lane } from './use-lane';

interface Charged {
  readonly charged: string;
  readonly usd: string;
}

function chargedIn({ current, ended }: Lane): Charged | undefined {
  return ended === undefined ? current?.reply.receipt ?? undefined : { charged: ended.svc_tokens_debited, usd: ended.svc_cost_usd };
}

function timeOf(milliseconds: number | null | undefined): string {
  return milliseconds === null || milliseconds === undefined ? '–' : duration(milliseconds);
}

/** Times, tokens and cost of the last reply. */
export function LaneFoot({ lane }: { readonly lane: Lane }) {
  const { current } = lane;
  const charged = chargedIn(lane);
  const output = current?.reply.receipt?.outputTokens ?? current?.reply.pieces;
  const figures = [
    [texts.figures.firstToken, timeOf(current?.firstOutput)],
    [texts.figures.inAll, timeOf(current?.took)],
    [texts.figures.output, output === undefined ? '–' : exactCount(output)],
    [texts.figures.cost, charged === undefined ? '–' : <Amount value={charged.charged} usd={charged.usd} full alone />],
  ] as const;
  return <dl className={classes['figures']}>{figures.map(([name, value]) => <div key={name}><dt>{name}</dt><dd className="num">{value}</dd></div>)}</dl>;
}

function sentences({ cheaper, times, faster, milliseconds }: Comparison): readonly string[] {
  return [
    cheaper === null ? texts.sameCost : times === null ? texts.wasFree(cheaper) : texts.costTimes(cheaper, times),
    ...(faster === null ? [] : [texts.wasFaster(faster, duration(milliseconds))]),
  ];
}

/** Compares two replies. Shows nothing until both have ended and are charged. */
export function ComparisonLine({ lanes: [first, second] }: { readonly lanes: readonly [Lane, Lane] }) {
  const modelName = useModelNames();
  const [a, b] = [measuredOf(first.current, chargedIn(first)?.charged), measuredOf(second.current, chargedIn(second)?.charged)];
  if (a === null || b === null || first.isAnswering || second.isAnswering || a.model === b.model) return null;
  return <output className={classes['small']}>{sentences(comparisonOf({ ...a, model: modelName(a.model) }, { ...b, model: modelName(b.model) })).join(' ')}</output>;
}
