import type { ReactNode } from 'react';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { Amount } from '../../components/amount';
import { Spark } from '../../components/charts';
import { TextLink } from '../../components/link';
import { Trend } from '../../components/trend';
import { UnitsHelp } from '../../components/units-help';
import hero from '../../components/hero.module.css';
import { isZero, roundedDollars } from '../../format/amount';
import { addDays, dayLabel, daysFrom, daysInMonth, eachDay, monthLabel } from '../../format/day';
import { decimalSum, projected } from '../../format/decimal';
import { aboutDays } from '../../format/duration';
import { lastDays, periodLabel, presetPeriods, sameDaysOfLastMonth, type Period } from '../../format/period';
import classes from './overview.module.css';
import { daySums, sumOfDays } from './day-sums';

type Overview = Reply<'overview'>;
type Both = Overview['spend']['today'];

interface TilesProps {
  readonly overview: Overview;
  /** UTC day on which the overview was read. */
  readonly today: string;
}

const inDollars = ({ svc_tokens: tokens, usd }: Both) => <Amount value={tokens} usd={usd} />;

/** Maximum number of days ahead for which a date is shown. The pace of seven days does not predict later dates. */
const MOST_DATED = 45;
const LEAST_ELAPSED = 7;

/** How long the balance lasts. There is no forecast if the balance does not pay for one request, or if the pace of spending is not known. */
function Lasting({ overview: { usual_request: usual, runs_out_in_days: days, spend }, today }: Pick<TilesProps, 'overview' | 'today'>) {
  if (usual?.requests_left === 0) return <><strong className={classes['warning']}>{texts.notOneRequest}</strong> <span className="muted">{texts.needs} <Amount value={usual.needs.svc_tokens} usd={usual.needs.usd} /></span></>;
  if (isZero(spend.last_7_days.svc_tokens)) return <span className="muted">{texts.nothingSpent}</span>;
  return days === null ? <span className="muted">{texts.tooFewDays}</span> : <><strong>{texts.lasts(aboutDays(days))}</strong> <span className="muted">{texts.pace}{days <= MOST_DATED && <>, {texts.until(dayLabel(addDays(today, days)))}</>}</span></>;
}

function Available({ overview, today }: Pick<TilesProps, 'overview' | 'today'>) {
  const { available, reserved } = overview.account.balance;
  return (
    <div className={hero['first']}>
      <div className={hero['label']}><TextLink to="/billing">{texts.available}</TextLink> <UnitsHelp /></div>
      <div className={hero['largest']}>{inDollars(available)}</div>
      <div className="muted"><Amount form="tile" value={available.svc_tokens} named /></div>
      {!isZero(reserved.svc_tokens) && <div className="muted">{inDollars(reserved)} {texts.reserved}</div>}
      <div className={hero['foot']}><Lasting overview={overview} today={today} /></div>
    </div>
  );
}

interface SpentProps {
  readonly label: string;
  /** Period of the linked requests. */
  readonly period: Period;
  readonly spent: Both;
  /** Change against the period before. */
  readonly change: ReactNode;
  /** Dollars by day. */
  readonly course: readonly string[];
}

function Spent({ label, period: { first, last }, spent, change, course }: SpentProps) {
  return (
    <div className={hero['other']}>
      <div>
        <div className={hero['label']}><TextLink to="/usage" search={{ start: first, end: last }}>{label}</TextLink></div>
        <div className={hero['figure']}>{inDollars(spent)}</div>
        <div className={hero['small']}>{change}</div>
      </div>
      <Spark values={course} />
    </div>
  );
}

/** Projects the sum of the month from its pace so far; `null` in the first days of a month, which predict little. */
function Projection({ month: { usd }, today }: { readonly month: Both; readonly today: string }) {
  const elapsed = daysFrom(presetPeriods(today).thisMonth.first, today);
  if (elapsed < LEAST_ELAPSED) return null;
  return <div className="muted">{texts.byMonthEnd(roundedDollars(projected(usd, elapsed, daysInMonth(today))))}</div>;
}

/** The running total, so that the line ends at the month's sum. */
function cumulated(values: readonly string[]): readonly string[] {
  return values.map((_, index) => decimalSum(values.slice(0, index + 1)));
}

/** What the account has, and what it spent. */
export function Tiles({ overview, today }: TilesProps) {
  const { spend } = overview;
  const days = daySums(overview.days);
  const [month, week] = [presetPeriods(today).thisMonth, lastDays(7, today)];
  const yesterday = addDays(today, -1);
  const [ofYesterday, ofWeekBefore] = [sumOfDays(days, { first: yesterday, last: yesterday }), sumOfDays(days, { first: addDays(week.first, -7), last: addDays(week.first, -1) })];
  const courseOf = ({ first, last }: Period) => eachDay(first, last).map((day) => days.get(day)?.usd ?? '0');
  return (
    <section className={hero['hero']} aria-label={texts.money}>
      <Available overview={overview} today={today} />
      <div className={hero['others']}>
        <Spent label={texts.today} period={{ first: today, last: today }} spent={spend.today} course={courseOf(lastDays(14, today))} change={<span className="muted">{inDollars(ofYesterday)} <TextLink to="/usage" search={{ start: yesterday, end: yesterday }}>{texts.yesterday}</TextLink></span>} />
        <Spent label={texts.week} period={week} spent={spend.last_7_days} course={courseOf(week)} change={<Trend now={spend.last_7_days.usd} before={ofWeekBefore.usd} period={texts.weekBefore} />} />
        <Spent label={texts.month(monthLabel(today, today))} period={month} spent={spend.month} course={cumulated(courseOf(month))} change={<><Trend now={spend.month.usd} before={spend.last_month.usd} period={periodLabel(sameDaysOfLastMonth(today), today)} />{overview.runs_out_in_days !== null && <Projection month={spend.month} today={today} />}</>} />
      </div>
    </section>
  );
}
