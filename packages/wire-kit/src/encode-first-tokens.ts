import { type DayRange, type FirstTokenFigures, type FirstTokenSummary, type PeriodUnit, rfc3339 } from '@tollgate/core';

function encodeFigures({ requests, p50, p95 }: FirstTokenFigures) {
  return { requests, p50, p95 };
}

/** Times to the first token in milliseconds: in total, by period, and by model. */
export function encodeFirstTokens({ from, to, unit }: DayRange & { readonly unit: PeriodUnit }, { total, periods, models, isSampled }: FirstTokenSummary) {
  return {
    object: 'first_token_summary' as const, start: rfc3339(from), end: rfc3339(to), by: unit, is_sampled: isSampled, total: total === null ? null : encodeFigures(total),
    data: periods.map(({ period, ...figures }) => ({ period, ...encodeFigures(figures) })), models: models.map(({ model, ...figures }) => ({ model, ...encodeFigures(figures) })),
  };
}
