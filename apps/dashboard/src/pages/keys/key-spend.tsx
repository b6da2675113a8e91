import { useNavigate } from '@tanstack/react-router';
import { keys as texts } from '#texts/keys';
import { useRoute } from '../../api/use-route';
import { SpendChart, type SpendPoint } from '../../components/charts';
import { TextLink } from '../../components/link';
import { Part } from '../../components/part';
import { useUtcDay } from '../../components/use-utc-day';
import { addDays, dayLabel, eachDay } from '../../format/day';
import { lastDays } from '../../format/period';
import { useModelNames } from '../models/model-names';

const DAYS = 30;
const CHART_HEIGHT = 340;
const { detail } = texts;

/** Spending of a key in the last 30 UTC days. */
export function KeySpend({ id }: { readonly id: string }) {
  const today = useUtcDay();
  const { first, last } = lastDays(DAYS, today);
  const modelName = useModelNames();
  const navigate = useNavigate();
  const summary = useRoute('usageSummary', { query: { start: first, end: addDays(last, 1), group_by: 'day,model', key_id: id } });
  const points = (summary.data?.data ?? []).map(({ period, group, is_other: isOther, groups, svc_tokens_debited: tokens, svc_cost_usd: amount }): SpendPoint => ({
    column: period ?? '', series: group, amount, tokens, ...(isOther ? { others: groups } : {}),
  }));
  return (
    <Part query={summary} height={CHART_HEIGHT}>
      {() => (
        <SpendChart
          title={detail.spend} period={detail.period(dayLabel(first), dayLabel(last))} columns={eachDay(first, last)} points={points} nameOf={(model) => (model === null ? detail.unserved : modelName(model))}
          renderColumn={(day, label) => <TextLink to="/usage" search={{ start: day, end: day, key_id: id }}>{label}</TextLink>}
          renderSeries={(model, link) => <TextLink to="/usage" search={{ start: first, end: last, key_id: id, model }} {...link} />}
          onColumn={(day) => void navigate({ to: '/usage', search: { start: day, end: day, key_id: id } })}
        >
          <p className="in-text muted"><TextLink to="/usage" search={{ start: first, end: last, key_id: id }}>{detail.openUsage}</TextLink></p>
        </SpendChart>
      )}
    </Part>
  );
}
