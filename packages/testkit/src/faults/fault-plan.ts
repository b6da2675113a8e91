/** How a call fails: before it did anything, or after it had done all of it, as a lost answer would look. */
export type FaultKind = 'before' | 'after';

/** The failure that a fault plan causes. */
export class PlannedFault extends Error {
  override readonly name = 'PlannedFault';
}

type AsyncMethod = (...given: readonly unknown[]) => Promise<unknown>;

/** Lets one call fail: the n-th, counted from 1 over every method of every port that it watches. */
export class FaultPlan {
  #calls = 0;
  /** The call that failed, as `port.method`; `null` as long as none has. */
  struck: string | null = null;

  constructor(private readonly failingCall: number, private readonly kind: FaultKind) {}

  /** The port, whose methods named here count and may fail. They must answer with promises. */
  watch<Port extends object>(name: string, port: Port, methods: readonly (keyof Port & string)[]): Port {
    const watched: ReadonlySet<string | symbol> = new Set(methods);
    return new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as AsyncMethod;
        return watched.has(property) ? (...given: readonly unknown[]) => this.#call(`${name}.${String(property)}`, () => method(...given)) : method;
      },
    });
  }

  async #call(method: string, run: () => Promise<unknown>): Promise<unknown> {
    this.#calls += 1;
    const strikes = this.#calls === this.failingCall;
    if (strikes) this.struck = method;
    if (strikes && this.kind === 'before') throw new PlannedFault(`${method} failed before it did anything`);
    const result = await run();
    if (strikes) throw new PlannedFault(`${method} failed after it had done everything`);
    return result;
  }
}
