import type { Bind, ServiceIdentifier } from 'inversify';

/** How a service is made from the ones it needs, which are handed to it as one object. */
export interface Recipe<Service, Needs extends object> {
  readonly needs: { readonly [Name in keyof Needs]: ServiceIdentifier<Needs[Name]> };
  readonly make: (needs: Needs) => Service;
}

/** Binds a service made once, so that plain classes need no decorator and know nothing of the container. */
export function bindService<Service, Needs extends object>(bind: Bind, id: ServiceIdentifier<Service>, recipe: Recipe<Service, Needs>): void {
  const names = Object.keys(recipe.needs);
  const identifiers = Object.values<ServiceIdentifier>(recipe.needs);
  const make = (...values: unknown[]): Service => {
    const needs = Object.fromEntries(names.map((name, position) => [name, values[position]])) as Needs;
    return recipe.make(needs);
  };
  bind(id).toResolvedValue(make, identifiers).inSingletonScope();
}
