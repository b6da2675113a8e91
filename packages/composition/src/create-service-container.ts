import { Container, type ContainerModule } from 'inversify';

/** A container of modules. Each service is made at its first use and once; until then `rebind` replaces it. */
export function createServiceContainer(...modules: readonly ContainerModule[]): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(...modules);
  return container;
}
