import '@mantine/dates/styles.css';
import { Button, Popover } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useState } from 'react';
import { locale } from '#locale';
import { lists } from '#texts/lists';
import { addDays, daysFrom, utcDay } from '../format/day';
import { timeOfDay } from '../format/instant';
import { periodLabel, presetOf, presetPeriods, type Period, type PresetName } from '../format/period';
import { DownIcon } from './icons';
import classes from './period-picker.module.css';

interface PeriodPickerProps {
  readonly value: Period;
  readonly onChange: (period: Period) => void;
  readonly mostDays?: number;
  /** In UTC. */
  readonly today?: string;
}

type Draft = [string | null, string | null];
const PRESETS = Object.keys(lists.presets) as readonly PresetName[];
const YEAR = 366;

/** Name of the preset, such as `Last 7 days`, otherwise the dates. */
export function periodName(period: Period, today: string): string {
  const preset = presetOf(period, today);
  return preset === null ? periodLabel(period, today) : lists.presets[preset];
}

export function PeriodPicker({ value, onChange, mostDays = YEAR, today = utcDay() }: PeriodPickerProps) {
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState<Draft>([value.first, value.last]);
  const preset = presetOf(value, today);
  const choose = (period: Period) => {
    setOpened(false);
    onChange(period);
  };
  const draw = ([first, last]: Draft) => {
    setDraft([first, last]);
    if (first !== null && last !== null && daysFrom(first, last) <= mostDays) choose({ first, last });
  };
  const toggle = () => {
    setDraft([value.first, value.last]);
    setOpened(!opened);
  };
  const isTooLong = draft[0] !== null && draft[1] !== null && daysFrom(draft[0], draft[1]) > mostDays;
  const label = periodName(value, today);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" rightSection={<DownIcon />} aria-label={`${lists.period}: ${label} (${lists.utc})`} onClick={toggle}>
          {label} ({lists.utc})
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={lists.period} className={classes['dropdown']}>
        <div className={classes['presets']}>
          {PRESETS.map((name) => (
            <Button key={name} size="compact-sm" variant={name === preset ? 'light' : 'subtle'} aria-pressed={name === preset} justify="start" onClick={() => choose(presetPeriods(today)[name])}>{lists.presets[name]}</Button>
          ))}
        </div>
        <div className={classes['calendar']}>
          <DatePicker
            type="range" locale={locale.calendar} allowSingleDateInRange hideOutsideDates firstDayOfWeek={1} weekendDays={[]} value={draft} onChange={draw} maxDate={today} defaultDate={value.last}
            ariaLabels={{ previousMonth: lists.previousMonth, nextMonth: lists.nextMonth }}
          />
          <p className={classes['help']} role={isTooLong ? 'alert' : undefined}>{isTooLong ? lists.mostDays(mostDays) : lists.daysAreUtc(timeOfDay(`${addDays(today, 1)}T00:00:00Z`))}</p>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
