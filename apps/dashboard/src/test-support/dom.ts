import { Window } from 'happy-dom';

/** One document for all test files of a worker, because the libraries keep a reference to it. */
const dom = new Window({ url: 'http://localhost:8080/dashboard/', width: 1280, height: 900 });
// A browser's own fonts are always loaded.
Object.defineProperty(dom.document, 'fonts', { value: new dom.EventTarget() });
const OF_BROWSERS = ['navigator', 'location', 'history', 'localStorage', 'sessionStorage', 'Event', 'CustomEvent', 'EventTarget', 'addEventListener', 'removeEventListener', 'dispatchEvent'];

const added = namesOf(dom).filter((name) => !(name in globalThis) || OF_BROWSERS.includes(name));
const before = new Map(added.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));

function namesOf(object: object): readonly string[] {
  const names = new Set<string>();
  for (let each: object | null = object; each !== null && each !== Object.prototype; each = Object.getPrototypeOf(each) as object | null) Object.getOwnPropertyNames(each).forEach((name) => names.add(name));
  return [...names].filter((name) => name !== 'constructor');
}

function valueOf(name: string): unknown {
  const value = (dom as unknown as Record<string, unknown>)[name];
  return typeof value === 'function' && /^[a-z]/.test(name) ? value.bind(dom) : value;
}

/** Gives the worker the globals of a browser. */
export function installDom(): void {
  for (const name of added) Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: valueOf(name) });
  Object.assign(globalThis, { window: dom, self: dom, IS_REACT_ACT_ENVIRONMENT: true });
}

/** Removes the globals, since other test files of the worker must not look like a browser. */
export function removeDom(): void {
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
  }
  for (const name of ['window', 'self', 'IS_REACT_ACT_ENVIRONMENT']) Reflect.deleteProperty(globalThis, name);
}

// React and its libraries look for a document when they are loaded.
installDom();
