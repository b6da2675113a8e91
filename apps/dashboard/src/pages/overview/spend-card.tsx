import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { charts } from '#texts/charts';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { type ChartSum, type Measure, MeasureChoice, SpendChart } from '../../components/charts';
import { TextLink, useLinksOff } from '../../components/link';
import { dayLabel, eachDay } from '../../format/day';
import { lastDays } from '../../format/period';
import { useModelNames } from '../models/model-names';

const DAYS = 30;

function sumOf({ charged, requests, tokens }: Reply<'overview'>['days'][number], measure: Measure): ChartSum {
  return measure === 'cost' ? { amount: charged.usd, tokens: charged.svc_tokens } : { amount: String(measure === 'requests' ? requests : tokens), tokens: '0' };
}

interface SpendCardProps {
  readonly days: Reply<'overview'>['days'];
  /** The last day of `days`. */
  readonly today: string;
}

/** Spending of the last 30 UTC days, by model. */
export function SpendCard({ days, today }: SpendCardProps) {
  const navigate = useNavigate();
  const modelName = useModelNames();
  const isReadOnly = useLinksOff();
  const { first, last } = lastDays(DAYS, today);
  const [measure, setMeasure] = useState<Measure>('cost');
  const points = useMemo(() => days.map((of) => ({ column: of.day, series: of.model, ...sumOf(of, measure) })), [days, measure]);
  return (
    <SpendChart
      title={texts.charts[measure]} measure={measure} period={texts.periods[measure](dayLabel(first), dayLabel(last))} columns={eachDay(first, last)} points={points} nameOf={(model) => (model === null ? texts.unserved : modelName(model))}
      renderColumn={(day, label) => <TextLink to="/usage" search={{ start: day, end: day }}>{label}</TextLink>}
      renderSeries={(model, link) => <TextLink to="/usage" search={{ start: first, end: last, model, group: 'key' }} {...link} />}
      {...(isReadOnly ? {} : { onColumn: (day: string) => void navigate({ to: '/usage', search: { start: day, end: day } }) })}
      aside={<MeasureChoice labels={charts.measures} value={measure} onChange={setMeasure} />}
    >
      <p className="muted in-text">{texts.daysAreUtc} <TextLink to="/usage" search={{ start: first, end: last }}>{texts.openUsage}</TextLink></p>
    </SpendChart>
  );
}
