/** The gateway cannot start, for reasons its operator can mend: one line each, ready to be shown. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';

  constructor(readonly problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
  }
}
