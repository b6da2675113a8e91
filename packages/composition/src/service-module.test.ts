import { expect, it } from '@jest/globals';
import { Container, type ContainerModule } from 'inversify';
import { identifier, serviceModule } from './service-module.js';

const [name, size, parity] = [identifier<string>('name'), identifier<number>('size'), identifier<'even' | 'odd'>('parity')];

function containerOf(module: ContainerModule): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(module);
  return container;
}

it('a service is created once, with its dependencies by name, even if a dependency is created asynchronously', async () => {
  let made = 0;
  const container = containerOf(serviceModule((make) => {
    make(parity, { size }, (parts) => (parts.size % 2 === 0 ? 'even' : 'odd'));
    make(size, { text: name }, ({ text }) => text.length + made++);
    make(name, {}, () => Promise.resolve('tollgate'));
  }));
  expect([await container.getAsync(parity), container.get(size), made]).toEqual(['even', 8, 1]);
});

it('a module does not compile if a factory’s parameter has another type than its dependency', () => {
  const module = serviceModule((make) => {
    // @ts-expect-error A number has no letters.
    make(name, { size }, (parts) => parts.size.toUpperCase());
    // @ts-expect-error The service is a number.
    make(size, { name }, (parts) => parts.name);
    // @ts-expect-error The dependency is not listed.
    make(size, {}, (parts) => parts.name);
  });
  expect(module).toBeDefined();
});

it('a service with an unbound dependency is refused before anything is created', () => {
  let made = 0;
  const container = containerOf(serviceModule((make) => {
    make(parity, { name, size }, () => 'even' as const);
    make(name, {}, () => `${made++}`);
  }));
  expect(() => container.get(parity)).toThrow(/No bindings found for service: "Symbol\(size\)"/u);
  expect(made).toBe(0);
});

it('cyclic dependencies are refused', () => {
  const container = containerOf(serviceModule((make) => {
    make(name, { size }, (parts) => `${parts.size}`);
    make(size, { name }, (parts) => parts.name.length);
  }));
  expect(() => container.get(name)).toThrow(/Circular dependency found/u);
});
