/** Problems that the operator can fix: one line each, ready to print. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';

  constructor(readonly problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
  }
}
