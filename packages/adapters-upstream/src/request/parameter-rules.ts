import type { ParameterRule, ProviderCall } from '@tollgate/core';

/** The rules that apply to a request; the more specific rule is last. */
export function rulesFor({ parameters }: ProviderCall['model'], { tools }: ProviderCall['request']): readonly ParameterRule[] {
  if (parameters === undefined) return [];
  return [parameters.always, tools.length > 0 ? parameters.withTools : parameters.withoutTools];
}

/** True if a rule omits or sets one of the fields. */
export function isRuled({ model, request }: Pick<ProviderCall, 'model' | 'request'>, names: readonly string[]): boolean {
  return rulesFor(model, request).some(({ omit, fix }) => names.some((name) => omit.includes(name) || Object.hasOwn(fix, name)));
}
