import type { ReactNode } from 'react';
import { common } from '#texts/common';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { Amount, Dollars } from '../../components/amount';
import { TextLink } from '../../components/link';
import { isZero } from '../../format/amount';
import { monthLabel, untilDayEnds } from '../../format/day';
import { aboutDays, duration } from '../../format/duration';
import { lastDays, presetPeriods } from '../../format/period';
import classes from './overview.module.css';

type Overview = Reply<'overview'>;

interface TileProps {
  /** Contains a link to the records. */
  readonly label: ReactNode;
  readonly children: ReactNode;
  readonly help: ReactNode;
}

function Tile({ label, children, help }: TileProps) {
  return (
    <div className={classes['tile']}>
      <span className={classes['small']}>{label}</span>
      <span className={classes['figure']}>{children}</span>
      <span className={`${classes['small']} muted`}>{help}</span>
    </div>
  );
}

const MINUTE = 60_000;

/** Rounded to minutes, without a countdown. */
function dayEndsIn(): string {
  return duration(Math.ceil(untilDayEnds() / MINUTE) * MINUTE);
}

interface TilesProps {
  readonly overview: Overview;
  /** UTC, when it was read. */
  readonly today: string;
}

/** No forecast for a balance that pays for nothing, or without a pace. */
function lastingOf({ usual_request: usual, runs_out_in_days: days, spend }: Overview): { readonly figure: string; readonly help: string } {
  if (usual?.requests_left === 0) return { figure: texts.notOneRequest, help: texts.needs(usual.needs.svc_tokens) };
  if (isZero(spend.last_7_days.svc_tokens)) return { figure: common.none, help: texts.nothingSpent };
  return days === null ? { figure: common.none, help: texts.tooFewDays } : { figure: aboutDays(days), help: texts.week(spend.last_7_days.svc_tokens) };
}

export function Tiles({ overview, today }: TilesProps) {
  const { account: { balance: { available, reserved } }, spend } = overview;
  const month = presetPeriods(today).thisMonth;
  const week = lastDays(7, today);
  const lasting = lastingOf(overview);
  return (
    <div className={classes['tiles']}>
      <Tile
        label={<TextLink to="/billing">{texts.available}</TextLink>}
        help={<><Dollars value={available.usd} />{!isZero(reserved.svc_tokens) && <> · {texts.reserved(reserved.svc_tokens)}</>}</>}
      >
        <Amount form="tile" value={available.svc_tokens} />
      </Tile>
      <Tile
        label={<TextLink to="/usage" search={{ start: today, end: today }}>{texts.today}</TextLink>}
        help={<><Dollars value={spend.today.usd} /> · {texts.resetsIn(dayEndsIn())}</>}
      >
        <Amount form="tile" value={spend.today.svc_tokens} />
      </Tile>
      <Tile label={<TextLink to="/usage" search={{ start: month.first, end: month.last }}>{texts.month(monthLabel(today, today))}</TextLink>} help={<Dollars value={spend.month.usd} />}>
        <Amount form="tile" value={spend.month.svc_tokens} />
      </Tile>
      <Tile
        label={<TextLink to="/usage" search={{ start: week.first, end: week.last }}>{texts.lasts}</TextLink>}
        help={lasting.help}
      >
        {lasting.figure}
      </Tile>
    </div>
  );
}
