type Method = (this: unknown, ...given: unknown[]) => unknown;

export interface MethodWatch {
  /** Called before the method does anything. */
  readonly before?: (...given: readonly unknown[]) => void;
  /** Called with what the method answered, or what its promise came to; the answer of it takes that place. */
  readonly after?: (answer: unknown) => unknown;
  /** When `after` is called: once a promise has been kept, unless it is to be as soon as the method has returned. */
  readonly when?: 'called' | 'answered';
}

/** Watches a method of a class in every object of that class. Throws when there is no such method, so that no point is lost by a change of name. */
export function watchMethod(watched: { readonly prototype: object }, name: string, { before, after, when = 'answered' }: MethodWatch): void {
  const prototype = watched.prototype as Record<string, unknown>;
  const original = prototype[name];
  if (typeof original !== 'function') throw new Error(`there is no method ${name} to put a kill point at`);
  prototype[name] = function watchedMethod(this: unknown, ...given: unknown[]): unknown {
    before?.(...given);
    const answer = (original as Method).apply(this, given);
    if (after === undefined) return answer;
    return when === 'answered' && answer instanceof Promise ? answer.then(after) : after(answer);
  };
}
