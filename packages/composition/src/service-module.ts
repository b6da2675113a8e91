import { ContainerModule, type ServiceIdentifier } from 'inversify';

/** Identifier of a port, a setting or a value without a class. */
export function identifier<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

type Identified<Identifier> = [Identifier] extends [ServiceIdentifier<infer Service>] ? Service : never;

export type Resolved<Identifiers> = { readonly [Name in keyof Identifiers]: Identified<Identifiers[Name]> };

/** The factory runs once, on first use. */
type Make = <T, Identifiers extends Readonly<Record<string, ServiceIdentifier>>>(
  service: ServiceIdentifier<T>, dependencies: Identifiers, factory: (resolved: Resolved<Identifiers>) => NoInfer<T> | Promise<NoInfer<T>>
) => void;

/**
 * For example `make(SweepRunner, { ledger, clock }, (parts) => new SweepRunner(parts))`. The compiler checks dependencies against the
 * factory's parameters.
 */
export function serviceModule(makeAll: (make: Make) => void): ContainerModule {
  return new ContainerModule(({ bind }) => makeAll((service, dependencies, factory) => {
    const names = Object.keys(dependencies);
    bind(service).toResolvedValue(
      (...values: unknown[]) => factory(Object.fromEntries(names.map((name, index) => [name, values[index]])) as Resolved<typeof dependencies>),
      Object.values(dependencies),
    );
  }));
}
