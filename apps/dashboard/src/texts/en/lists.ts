import { counted } from '../../format/count';

/** Long lists and periods. */
export const lists = {
  shown: (rows: number) => `${counted(rows, 'row')} shown`,
  olderLoad: 'Older rows load as you scroll.',
  end: 'End of the list',
  loading: 'Loading more',
  searching: 'Searching.',
  stop: 'Stop',
  searchedTo: (instant: string) => `Searched back to ${instant}.`,
  searched: 'Nothing found so far.',
  searchFurther: 'Search further',
  refresh: 'Refresh',
  newest: 'Show the newest',
  rowKeys: 'j and k move between rows, Enter opens one.',
  jump: 'Jump to a time',
  jumpHelp: 'The list starts with the newest row before this time, in your time zone.',
  jumpDate: 'Date and time',
  jumpAction: 'Jump',
  jumpedTo: (instant: string) => `Before ${instant}`,
  period: 'Period',
  utc: 'UTC',
  customPeriod: 'Custom period',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  daysAreUtc: (time: string) => `Days are in UTC: a new day starts at ${time} in your time zone.`,
  mostDays: (days: number) => `At most ${days} days.`,
  presets: {
    today: 'Today', yesterday: 'Yesterday', last7: 'Last 7 days', last30: 'Last 30 days', thisMonth: 'This month', lastMonth: 'Last month', last90: 'Last 90 days', last365: 'Last 365 days',
  },
} as const;
