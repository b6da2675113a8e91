import type { ReactNode } from 'react';
import { operatorOverview as texts } from '#texts/operator-overview';
import { Amount } from '../../../components/amount';
import { Spark } from '../../../components/charts';
import hero from '../../../components/hero.module.css';
import { TextLink } from '../../../components/link';
import { Part } from '../../../components/part';
import { Trend } from '../../../components/trend';
import { UnitsHelp } from '../../../components/units-help';
import { exactCount } from '../../../format/count';
import { addDays, eachDay, monthLabel } from '../../../format/day';
import { decimalSum } from '../../../format/decimal';
import { lastDays, periodLabel, presetPeriods, sameDaysOfLastMonth, type Period } from '../../../format/period';
import { figuresIn, type Figures as Sums } from './day-figures';
import { useSums } from './use-sums';

const HEIGHT = 278;
const COURSE_DAYS = 14;

function UsageLink({ period: { first, last }, children }: { readonly period: Period; readonly children: ReactNode }) {
  return <TextLink to="/operator/usage" search={{ start: first, end: last }}>{children}</TextLink>;
}

function Money({ of: { tokens, usd } }: { readonly of: Sums }) {
  return <Amount value={tokens} usd={usd} />;
}

interface OtherProps {
  readonly label: ReactNode;
  readonly figure: ReactNode;
  /** Change against the period before. */
  readonly change: ReactNode;
  readonly course: readonly (string | number)[];
}

function Other({ label, figure, change, course }: OtherProps) {
  return (
    <div className={hero['other']}>
      <div>
        <div className={hero['label']}>{label}</div>
        <div className={hero['figure']}>{figure}</div>
        <div className={hero['small']}>{change}</div>
      </div>
      <Spark values={course} />
    </div>
  );
}

/** Charges of all customers. One request for sums by day serves all figures. */
export function Figures({ today, foot }: { readonly today: string; readonly foot: ReactNode }) {
  const query = useSums(sameDaysOfLastMonth(today).first, today, { group_by: 'day' });
  const [day, week, month] = [lastDays(1, today), lastDays(7, today), presetPeriods(today).thisMonth];
  const before: Period = { first: addDays(week.first, -7), last: addDays(week.first, -1) };
  const monthBefore = sameDaysOfLastMonth(today);
  return (
    <Part query={query} height={HEIGHT}>
      {({ data }) => {
        const within = (period: Period) => figuresIn(data, period);
        const daily = (period: Period) => eachDay(period.first, period.last).map((one) => within({ first: one, last: one }));
        const [now, yesterday, course] = [within(day), within(presetPeriods(today).yesterday), daily(lastDays(COURSE_DAYS, today))];
        const monthly = daily(month).map(({ usd }) => usd);
        return (
          <section className={hero['hero']} aria-label={texts.today}>
            <div className={hero['first']}>
              <div className={hero['label']}><UsageLink period={day}>{texts.today}</UsageLink> <UnitsHelp /></div>
              <div className={hero['largest']}><Money of={now} /></div>
              <div className="muted"><Money of={yesterday} /> <UsageLink period={presetPeriods(today).yesterday}>{texts.yesterday}</UsageLink></div>
              <Spark values={course.map(({ usd }) => usd)} />
              <div className={hero['foot']}>{foot}</div>
            </div>
            <div className={hero['others']}>
              <Other label={texts.requests} figure={<span className="num">{exactCount(now.requests)}</span>} change={<span className="muted">{texts.requestsYesterday(yesterday.requests)}</span>} course={course.map(({ requests }) => requests)} />
              <Other label={<UsageLink period={week}>{texts.week}</UsageLink>} figure={<Money of={within(week)} />} change={<Trend now={within(week).usd} before={within(before).usd} period={texts.weekBefore} />} course={daily(week).map(({ usd }) => usd)} />
              <Other label={<UsageLink period={month}>{texts.month(monthLabel(today, today))}</UsageLink>} figure={<Money of={within(month)} />} change={<Trend now={within(month).usd} before={within(monthBefore).usd} period={periodLabel(monthBefore, today)} />} course={monthly.map((_, index) => decimalSum(monthly.slice(0, index + 1)))} />
            </div>
          </section>
        );
      }}
    </Part>
  );
}
