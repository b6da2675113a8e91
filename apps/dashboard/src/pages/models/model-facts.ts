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

/** Under this name Codex has its tool that edits files by patch; under a name that it does not know, it has none. */
const CODEX_NAME = 'gpt-5.5';

/** How much of a name a model's names match: an exact one matches more than any pattern, a longer pattern more than a shorter one; 0 for nothing. */
function matched({ id, aliases }: Pick<Model, 'id' | 'aliases'>, name: string): number {
  if (id === name || aliases.includes(name)) return Infinity;
  return Math.max(0, ...aliases.filter((alias) => alias.endsWith('*') && name.startsWith(alias.slice(0, -1))).map(({ length }) => length));
}

/** The name by which Codex asks for the model: the one it knows where that is an alias of this model and no other. */
export function codexNameOf(model: Pick<Model, 'id' | 'aliases'>, models: readonly Pick<Model, 'id' | 'aliases'>[]): string {
  const most = Math.max(...models.map((each) => matched(each, CODEX_NAME)));
  return most > 0 && matched(model, CODEX_NAME) === most ? CODEX_NAME : model.id;
}
