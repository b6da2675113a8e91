/**
 * How a call fails: before it has an effect; after its whole effect, as if the answer were lost; after a hang until `release`, without an effect;
 * or immediately, while the call still takes effect a little later.
 */
export type FaultKind = 'before' | 'after' | 'hang' | 'late';

export const FAULT_KINDS: readonly FaultKind[] = ['before', 'after', 'hang', 'late'];

/** The failure that a fault plan causes. */
class PlannedFault extends Error {
  override readonly name = 'PlannedFault';
}

type AsyncMethod = (...given: readonly unknown[]) => Promise<unknown>;

/** Lets one call fail: the n-th, counted from 1 over every method of every port that it watches. */
export class FaultPlan {
  #failingCall: number;
  #kind: FaultKind;
  #calls = 0;
  #underWay = 0;
  #release: (() => void) | null = null;
  /** The call that failed, as `port.method`; `null` as long as none has. */
  struck: string | null = null;

  constructor(failingCall: number, kind: FaultKind) {
    this.#failingCall = failingCall;
    this.#kind = kind;
  }

  /** A call hangs until `release`. */
  get isHanging(): boolean {
    return this.#release !== null;
  }

  /** No call is under way, but one that hangs. */
  get isQuiet(): boolean {
    return this.#underWay === 0;
  }

  /** Restarts the count: the n-th call from here fails. */
  arm(failingCall: number, kind: FaultKind): void {
    this.#failingCall = failingCall;
    this.#kind = kind;
    this.#calls = 0;
    this.struck = null;
  }

  /** No further call fails. What has struck stays on record. */
  disarm(): void {
    this.#failingCall = Infinity;
  }

  /** Lets the call that hangs fail. */
  release(): void {
    this.#release?.();
    this.#release = null;
  }

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
    if (this.#calls !== this.#failingCall) return this.#counted(run);
    this.struck = method;
    await this.#whatTakesEffect(run);
    throw new PlannedFault(`${method} failed as planned: ${this.#kind}`);
  }

  async #whatTakesEffect(run: () => Promise<unknown>): Promise<void> {
    switch (this.#kind) {
      case 'before': return;
      case 'after':
        await this.#counted(run);
        return;
      case 'hang':
        return new Promise((resolve) => {
          this.#release = resolve;
        });
      case 'late':
        void this.#counted(() => afterwards(run));
        return;
    }
  }

  async #counted(run: () => Promise<unknown>): Promise<unknown> {
    this.#underWay += 1;
    try {
      return await run();
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** Runs the call after its callers have received the failure. Its result is dropped. */
function afterwards(run: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve) => {
    setImmediate(() => void Promise.allSettled([run()]).then(resolve));
  });
}
