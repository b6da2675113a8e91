import type { Reply } from '../../api/call';
import { compared, total } from '../../format/price';

export type OfferedModel = Reply<'listModels'>['data'][number];

/** Models of the plan first, each part sorted by the sum of the rates of an input and an output token, then by name. */
export function cheapestFirst(models: readonly OfferedModel[]): readonly OfferedModel[] {
  const priceOf = ({ pricing: { prompt, output } }: OfferedModel) => total(prompt, output);
  const placeOf = ({ in_plan: inPlan }: OfferedModel) => (inPlan ? 0 : 1);
  return models.toSorted((a, b) => placeOf(a) - placeOf(b) || compared(priceOf(a), priceOf(b)) || a.id.localeCompare(b.id));
}
