import { exactAmount } from '../../format/amount';

export const charts = {
  asTable: 'View as table',
  asChart: 'View as chart',
  other: (series: number) => `Other (${series})`,
  unnamed: 'No name',
  total: 'Total',
  day: 'Day (UTC)',
  nothing: (period: string) => `${period}: nothing was spent.`,
  sentence: (period: string, total: string, largest: { readonly label: string; readonly total: string }) =>
    `${period}: ${exactAmount(total)} service tokens in total, most on ${largest.label} with ${exactAmount(largest.total)}.`,
  loading: 'The chart is loading.',
  failed: 'The chart could not be loaded. Its figures are in the table.',
  used: (used: string, limit: string) => `${used} of ${limit}`,
  reached: 'Limit reached',
} as const;
