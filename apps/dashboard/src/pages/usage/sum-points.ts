import type { ChartSum, Measure, SpendPoint } from '../../components/charts';
import type { SumBucket, UsageSums } from './usage-rows';

export function sumOf(bucket: SumBucket, measure: Measure): ChartSum {
  switch (measure) {
    case 'cost': return { amount: bucket.svc_cost_usd, tokens: bucket.svc_tokens_debited };
    case 'requests': return { amount: String(bucket.requests), tokens: '0' };
    case 'tokens': return { amount: String(bucket.prompt_tokens + bucket.output_tokens), tokens: '0' };
  }
}

/** One point for each bucket. Its column is the period of the bucket. */
export function pointsOf({ data, series }: Pick<UsageSums, 'data' | 'series'>, measure: Measure): readonly SpendPoint[] {
  const others = series.find(({ is_other: isOther }) => isOther)?.groups ?? 0;
  return data.map((bucket) => ({ column: bucket.period ?? '', series: bucket.group, ...sumOf(bucket, measure), ...(bucket.is_other ? { others } : {}) }));
}
