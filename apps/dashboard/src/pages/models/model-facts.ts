import type { Reply } from '../../api/call';
import { perMillion, priceText } from '../../format/price';

export type Model = Reply<'listModels'>['data'][number];
export const PRICE_CLASSES = ['prompt', 'cached_prompt', 'cache_creation', 'output'] as const;
export type PriceClass = (typeof PRICE_CLASSES)[number];

/** A price per million model tokens, in both currencies. */
export function priceOf({ pricing }: Pick<Model, 'pricing'>, tokenClass: PriceClass): string {
  return priceText(perMillion(pricing[tokenClass], pricing.usd_per_service_token));
}

/** Those of the plan first; else in the order of the catalogue. */
export function inPlanFirst(models: readonly Model[]): readonly Model[] {
  return models.toSorted((a, b) => (a.in_plan ? 0 : 1) - (b.in_plan ? 0 : 1));
}

/** Whether a key may use the model: its models are slugs. */
export function mayUse({ models }: { readonly models: readonly string[] | null }, model: string): boolean {
  return models === null || models.includes(model);
}
