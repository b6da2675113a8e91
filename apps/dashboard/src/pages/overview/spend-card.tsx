import { useNavigate } from '@tanstack/react-router';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { SpendChart } from '../../components/charts';
import { TextLink, useLinksOff } from '../../components/link';
import { dayLabel, eachDay } from '../../format/day';
import { lastDays } from '../../format/period';

const DAYS = 30;

interface SpendCardProps {
  readonly days: Reply<'overview'>['days'];
  /** The last of the days. */
  readonly today: string;
}

/** Last 30 UTC days, by model. */
export function SpendCard({ days, today }: SpendCardProps) {
  const navigate = useNavigate();
  const isReadOnly = useLinksOff();
  const { first, last } = lastDays(DAYS, today);
  const points = days.map(({ day, model, charged }) => ({ column: day, series: model, amount: charged.svc_tokens }));
  return (
    <SpendChart
      title={texts.spend} period={texts.period(dayLabel(first), dayLabel(last))} columns={eachDay(first, last)} points={points} nameOf={(model) => model ?? texts.unserved}
      renderColumn={(day, label) => <TextLink to="/usage" search={{ start: day, end: day }}>{label}</TextLink>}
      {...(isReadOnly ? {} : { onColumn: (day: string) => void navigate({ to: '/usage', search: { start: day, end: day } }) })}
      aside={<span className="muted">{texts.unit}</span>}
    >
      <p className="muted in-text">{texts.daysAreUtc} <TextLink to="/usage" search={{ start: first, end: last }}>{texts.openUsage}</TextLink></p>
    </SpendChart>
  );
}
