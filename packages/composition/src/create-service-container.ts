import { Container, type ContainerModule } from 'inversify';

/** A container of modules. Each service is created once, at its first use; until then `rebind` replaces it. */
export function createServiceContainer(...modules: readonly ContainerModule[]): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(...modules);
  return container;
}
