import type { Environment } from '@tollgate/adapters-config';
import { createGateway } from '../composition/container.js';
import type { Gateway } from '../gateway/gateway.js';
import { StartRefused } from '../http/server/start-refused.js';
import { createLog } from '../observability/create-log.js';
import { rebind } from './start-test-gateway.js';

/** Gateways that a test starts from environments, and the lines that they log. Close it after the test. */
export class LoggedGateways {
  readonly lines: string[] = [];
  readonly #running: Gateway[] = [];

  async start(environment: Environment): Promise<Gateway> {
    const log = createLog('info', { write: (line) => void this.lines.push(line) });
    const gateway = await createGateway({ PORT: '0', ...environment }, (container) => rebind(container, { log }));
    this.#running.push(gateway);
    return gateway;
  }

  /** Starts and stops a gateway. */
  async run(environment: Environment): Promise<void> {
    await (await this.start(environment)).close();
  }

  /** The problems for which a start is refused; `started` without any. */
  refusal(environment: Environment): Promise<string> {
    return this.start(environment).then(() => 'started', (thrown: unknown) => {
      if (!(thrown instanceof StartRefused)) throw thrown;
      return thrown.problems.join('\n');
    });
  }

  async close(): Promise<void> {
    for (const gateway of this.#running) await gateway.close();
  }
}
