import { ContainerModule, type ServiceIdentifier } from 'inversify';

/** Names a service that no class names: a port, a setting or a value. */
export function identifier<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

type Identified<Identifier> = [Identifier] extends [ServiceIdentifier<infer Service>] ? Service : never;

/** What each identifier of a record stands for. */
export type Resolved<Identifiers> = { readonly [Name in keyof Identifiers]: Identified<Identifiers[Name]> };

/** Binds a service to its dependencies and the factory that takes them. The factory runs once, at the first use of the service. */
type Make = <T, Identifiers extends Readonly<Record<string, ServiceIdentifier>>>(
  service: ServiceIdentifier<T>, dependencies: Identifiers, factory: (resolved: Resolved<Identifiers>) => NoInfer<T> | Promise<NoInfer<T>>
) => void;

/**
 * A module of services, each with its dependencies by name: `make(SweepRunner, { ledger, clock }, (parts) => new SweepRunner(parts))`.
 * The compiler compares the factory's parameters with the dependencies.
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
