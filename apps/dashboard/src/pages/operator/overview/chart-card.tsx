import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { charts } from '#texts/charts';
import { firstToken } from '#texts/first-token';
import { operatorOverview as texts } from '#texts/operator-overview';
import { type Measure, MeasureChoice, SpendChart } from '../../../components/charts';
import { TextLink } from '../../../components/link';
import { Part } from '../../../components/part';
import { dayLabel, eachDay } from '../../../format/day';
import { lastDays } from '../../../format/period';
import { useModelNames } from '../../models/model-names';
import { FirstTokens } from '../../usage/first-tokens';
import { pointsOf } from '../../usage/sum-points';
import { FIRST_TOKEN } from '../../usage/usage-search';
import { useSums } from './use-sums';

const DAYS = 30;
const MOST = 5;
const CARD_HEIGHT = 364;
const CHOICES = { ...charts.measures, [FIRST_TOKEN]: firstToken.choice };

interface ChartProps<Choice> {
  readonly today: string;
  readonly measure: Choice;
  readonly onMeasure: (measure: keyof typeof CHOICES) => void;
}

function useDrawn({ first, last }: ReturnType<typeof lastDays>) {
  const navigate = useNavigate();
  return {
    columns: eachDay(first, last), renderColumn: (day: string, label: string) => <TextLink to="/operator/usage" search={{ start: day, end: day }}>{label}</TextLink>,
    onColumn: (day: string) => void navigate({ to: '/operator/usage', search: { start: day, end: day } }),
  };
}

function Sums({ today, measure, onMeasure }: ChartProps<Measure>) {
  const period = lastDays(DAYS, today);
  const drawn = useDrawn(period);
  const modelName = useModelNames();
  const query = useSums(period.first, period.last, { group_by: 'day,model', top: MOST });
  return (
    <Part query={query} height={CARD_HEIGHT}>
      {(sums) => (
        <SpendChart
          title={texts.charts[measure]} measure={measure} period={texts.periods[measure](dayLabel(period.first), dayLabel(period.last))} nameOf={(model) => (model === null ? texts.unserved : modelName(model))}
          points={pointsOf(sums, measure)} renderSeries={(model, link) => <TextLink to="/operator/usage" search={{ start: period.first, end: period.last, model }} {...link} />} {...drawn} aside={<MeasureChoice labels={CHOICES} value={measure} onChange={onMeasure} />}
        />
      )}
    </Part>
  );
}

function Times({ today, measure, onMeasure }: ChartProps<typeof FIRST_TOKEN>) {
  const period = lastDays(DAYS, today);
  const drawn = useDrawn(period);
  const [isTable, setTable] = useState(false);
  return (
    <FirstTokens
      scope="all" search={{ start: period.first, end: period.last }} today={today} period={texts.periods.first_token(dayLabel(period.first), dayLabel(period.last))} {...drawn}
      columnLabel={(day) => dayLabel(day)} columnHeading={charts.day} isTable={isTable} onTable={setTable} aside={<MeasureChoice labels={CHOICES} value={measure} onChange={onMeasure} />}
    />
  );
}

/** Charts the last 30 days of all accounts: cost, requests, tokens or the time to the first token. */
export function ChartCard({ today }: { readonly today: string }) {
  const [measure, setMeasure] = useState<keyof typeof CHOICES>('cost');
  return measure === FIRST_TOKEN ? <Times today={today} measure={measure} onMeasure={setMeasure} /> : <Sums today={today} measure={measure} onMeasure={setMeasure} />;
}
