import { Creditor, type CreditorOptions } from './creditor.js';
import { Watcher } from './watcher.js';

/** The programs that use a gateway's database beside it: one that looks at it, and one that credits. */
export class Company {
  private constructor(private readonly watcher: Watcher, private readonly creditor: Creditor) {}

  /** Both are at work when it resolves. */
  static async start(options: CreditorOptions): Promise<Company> {
    const creditor = await Creditor.start(options);
    return new Company(new Watcher(options.database), creditor);
  }

  /** Kills the one that credits; says what was seen that must never be. */
  async end(): Promise<readonly string[]> {
    await this.creditor.kill();
    return this.watcher.stop();
  }
}
