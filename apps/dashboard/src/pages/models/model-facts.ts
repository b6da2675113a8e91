import type { Reply } from '../../api/call';
import { compared, perMillion, priceText } from '../../format/price';

export type Model = Reply<'listModels'>['data'][number];
type PriceClass = Exclude<keyof Model['pricing'], 'unit' | 'usd_per_service_token'>;

/** The classes of tokens that have a price, in the gateway's order. */
export function priceClassesOf({ pricing }: Pick<Model, 'pricing'>): readonly PriceClass[] {
  const { unit: _unit, usd_per_service_token: _rate, ...prices } = pricing;
  return Object.keys(prices) as PriceClass[];
}

/** Price of a million model tokens, in dollars and in service tokens. */
export function priceOf({ pricing }: Pick<Model, 'pricing'>, tokenClass: PriceClass): string {
  return priceText(perMillion(pricing[tokenClass], pricing.usd_per_service_token));
}

/** Like `priceOf`, for an announced price. */
export function nextPriceOf({ pricing }: Pick<Model, 'pricing'>, next: NonNullable<Model['next_price']>, tokenClass: PriceClass): string {
  return priceText(perMillion(next[tokenClass], pricing.usd_per_service_token));
}

/** The classes whose price `next` changes. */
export function changedClassesOf(model: Pick<Model, 'pricing'>, next: NonNullable<Model['next_price']>): readonly PriceClass[] {
  return priceClassesOf(model).filter((tokenClass) => next[tokenClass] !== model.pricing[tokenClass]);
}

/** True if the model reads images, or if the operator has not said what it reads. */
export function readsImages({ input_modalities: modalities }: Pick<Model, 'input_modalities'>): boolean {
  return modalities?.includes('image') ?? true;
}

export const MODEL_SORTS = ['plan', 'name', 'prompt', 'output', 'context'] as const;
export type ModelSort = (typeof MODEL_SORTS)[number];

function includesText(text: string, part: string): boolean {
  return text.toLocaleLowerCase().includes(part);
}

/**
 * Models whose id, name, alias, provider or description contains the text. `plan` sorts the models of the plan first, `name` by id, `prompt` and
 * `output` the lowest price first, `context` the longest first.
 */
export function foundModels(models: readonly Model[], { search, sort }: { readonly search: string; readonly sort: ModelSort }): readonly Model[] {
  const part = search.trim().toLocaleLowerCase();
  const found = models.filter(({ id, display_name: name, aliases, owned_by: provider, description = '' }) => [id, name, ...aliases, provider, description].some((text) => includesText(text, part)));
  switch (sort) {
    case 'plan': return inPlanFirst(found);
    case 'name': return found.toSorted((a, b) => a.id.localeCompare(b.id));
    case 'context': return found.toSorted((a, b) => b.context_window - a.context_window);
    case 'prompt': case 'output': return found.toSorted((a, b) => compared(a.pricing[sort], b.pricing[sort]));
  }
}

/** Models of the plan first; otherwise in the catalogue's order. */
function inPlanFirst(models: readonly Model[]): readonly Model[] {
  return models.toSorted((a, b) => (a.in_plan ? 0 : 1) - (b.in_plan ? 0 : 1));
}

/** True if the list contains the model's id; `null` allows every model. */
export function mayUse({ models }: { readonly models: readonly string[] | null }, model: string): boolean {
  return models === null || models.includes(model);
}

/** With this name, Codex offers its patch tool; with unknown names it does not. */
const CODEX_NAME = 'gpt-5.5';

/** Length of the match: exact names beat patterns, longer patterns beat shorter ones; 0 for none. */
function matched({ id, aliases }: Pick<Model, 'id' | 'aliases'>, name: string): number {
  if (id === name || aliases.includes(name)) return Infinity;
  return Math.max(0, ...aliases.filter((alias) => alias.endsWith('*') && name.startsWith(alias.slice(0, -1))).map(({ length }) => length));
}

/** The name that Codex knows if it is an alias of this model, otherwise the model's id. */
export function codexNameOf(model: Pick<Model, 'id' | 'aliases'>, models: readonly Pick<Model, 'id' | 'aliases'>[]): string {
  const most = Math.max(...models.map((each) => matched(each, CODEX_NAME)));
  return most > 0 && matched(model, CODEX_NAME) === most ? CODEX_NAME : model.id;
}
